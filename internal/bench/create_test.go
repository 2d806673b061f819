package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/monitor"
	"aliquot/web/api"
)

// BenchmarkFromSubmissionToCreate measures the time from the answer that a job is durable to the monitor's call to
// libvirt, on an otherwise idle cluster: manager, monitor and fence as shipped, libvirt and QEMU on one lab node. The
// monitor logs the call in whole milliseconds, on the same clock.
func BenchmarkFromSubmissionToCreate(b *testing.B) {
	if os.Getenv("ALIQUOT_BENCH_LAB") == "" || os.Geteuid() != 0 {
		b.Skip("needs root, the guest image (make guest-image) and leave to start a libvirt node: ALIQUOT_BENCH_LAB=1")
	}
	l := startLab(b)
	user := l.manager.client(b)
	b.Run("idle", func(b *testing.B) {
		took := make([]time.Duration, 0, b.N)
		for range b.N {
			took = append(took, l.once(b, user))
		}
		report(b, took)
	})
}

// lab is a manager with one real node.
type lab struct {
	manager *manager
	calls   *calls
}

func startLab(b *testing.B) *lab {
	b.Helper()
	program, err := built()
	if err != nil {
		b.Fatalf("build aliquotd: %v", err)
	}
	run := fmt.Sprintf("b%05x", os.Getpid()%0x100000)
	script(b, "up", run, "n1:1500")
	b.Cleanup(func() { script(b, "down", run) })
	env := environment(script(b, "env", run))
	image, err := filepath.Abs(root + "/build/guest")
	if err != nil {
		b.Fatal(err)
	}
	link := env["ALIQUOT_LAB_GATEWAY"] + ":7422"
	m := startManager(b, "--link", link, "--image", image, "--store", env["ALIQUOT_LAB_STORE"])
	log, token, user := filepath.Join(m.dir, "monitor.log"), filepath.Join(m.dir, "join.token"), m.client(b)
	await(b, "an invitation", func() bool {
		i, err := user.InviteNode(b.Context(), "n1", "")
		return err == nil && os.WriteFile(token, []byte(i.Token), 0o600) == nil
	})
	script(b, "spawn", run, "n1", filepath.Join(m.dir, "fence.log"), program, "fence")
	script(b, "spawn", run, "n1", log, program, "monitor", "--node", "n1", "--managers", link,
		"--join-token", token, "--cpu", "1500m", "--memory", "1Gi", "--accel", "tcg",
		"--log-level", "debug")
	l := &lab{manager: m, calls: follow(b, log)}
	await(b, "the node", func() bool {
		nodes, err := user.Nodes(b.Context())
		return err == nil && len(nodes) == 1 && nodes[0].Health == "ready"
	})
	l.once(b, user) // after this the image is cached
	return l
}

// once submits a job, cancels it when its VM has been requested, and waits for its end. It returns the time from one
// to the other.
func (l *lab) once(b *testing.B, user *client.Client) time.Duration {
	b.Helper()
	sleeper := api.JobSpec{CPU: "100m", Memory: "96Mi", Command: []string{"/bin/sleep", "600"}}
	accepted, err := user.Submit(b.Context(), sleeper, "")
	if err != nil {
		b.Fatal(err)
	}
	durable := time.Now()
	called := l.calls.next(b, accepted.Job+"/0/1")
	if _, err := user.Cancel(b.Context(), accepted.Job, ""); err != nil {
		b.Fatal(err)
	}
	if _, err := user.Wait(b.Context(), accepted.Job); err != nil {
		b.Fatal(err)
	}
	return called.Sub(durable)
}

// calls reads the times of requests for VMs from a monitor's log.
type calls struct {
	lines *bufio.Reader
	rest  string // beginning of a line that is still being written
}

func follow(b *testing.B, log string) *calls {
	b.Helper()
	f, err := os.Open(log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		f.Close()
		if text, _ := os.ReadFile(log); b.Failed() {
			b.Logf("the monitor said:\n%s", text)
		}
	})
	return &calls{lines: bufio.NewReader(f)}
}

// next returns the time at which the VM of the run was requested.
func (c *calls) next(b *testing.B, run string) (at time.Time) {
	b.Helper()
	await(b, "the call for "+run, func() bool {
		for {
			part, err := c.lines.ReadString('\n')
			c.rest += part
			if err != nil {
				return false
			}
			var said struct {
				Run, Message string
				Time         time.Time
			}
			err = json.Unmarshal([]byte(c.rest), &said)
			c.rest = ""
			if err == nil && said.Run == run && said.Message == monitor.Creating {
				at = said.Time
				return true
			}
		}
	})
	return at
}

// script runs scripts/lab for this process and returns its output.
func script(b *testing.B, args ...string) string {
	b.Helper()
	command := exec.Command(root+"/scripts/lab", args...)
	command.Env = append(os.Environ(), fmt.Sprint("ALIQUOT_LAB_OWNER=", os.Getpid()))
	var said strings.Builder
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		b.Errorf("lab %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return string(out)
}

// environment parses lines of NAME=VALUE.
func environment(text string) map[string]string {
	env := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			env[name] = value
		}
	}
	return env
}
