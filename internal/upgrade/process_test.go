package upgrade

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything is waited for; a machine that does nothing else needs a tenth of it.
const patience = time.Minute

// A process is one that has been started. Its output goes to a file.
type process struct {
	t       *testing.T
	command *exec.Cmd
	log     string
	ended   chan struct{}
	err     error // of its end; read after ended
}

// launch starts a process that lives no longer than the test. Its output is added to the log.
func launch(t *testing.T, log, program string, args ...string) *process {
	t.Helper()
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p := &process{t: t, command: exec.Command(program, args...), log: log, ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = file, file
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// stop ends the process as an upgrade does.
func (p *process) stop() {
	p.t.Helper()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	p.awaitEnd()
}

// awaitEnd returns once the process has ended.
func (p *process) awaitEnd() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("%s goes on:\n%s", p.command.Path, p.said())
	}
}

// alive reports whether the process has not ended.
func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// said is all that processes with this log have said.
func (p *process) said() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// eventually tries until there is no error, and fails with the last one when patience ends.
func eventually(t *testing.T, what string, try func() error) {
	t.Helper()
	end := time.After(patience)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s: %v", what, err)
		}
	}
}
