package labtest

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A guardian removes the lab as soon as the test process ends, whether it returns, panics, times out or is killed: in
// each case the guardian's input is closed.
type guardian struct {
	command *exec.Cmd
	input   io.Closer
}

// guardianScript is the guardian's script. It removes the programs built for the tests, so that a test that still runs
// starts no other, kills their processes, and removes the lab.
const guardianScript = `
trap '' INT TERM HUP
cat
rm -rf "$1"
for process in /proc/[0-9]*; do
	case $(readlink "$process/exe") in "$1"/*) kill -9 "${process#/proc/}" ;; esac
done
"$2" down "$3" || status=1
exit ${status-0}
`

func guard(folder, lab, run string) (*guardian, error) {
	g := &guardian{command: exec.Command("bash", "-c", guardianScript, "guardian", folder, lab, run)}
	g.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	input, err := g.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	g.input = input
	if err := g.command.Start(); err != nil {
		return nil, fmt.Errorf("start the lab's guardian: %w", err)
	}
	return g, nil
}

// dismiss returns when the lab is gone.
func (g *guardian) dismiss() error {
	g.input.Close()
	return g.command.Wait()
}
