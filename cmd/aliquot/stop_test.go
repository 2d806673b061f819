package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// typed makes the test's process one that runs a command line once it has announced that it handles signals.
const typed = "ALIQUOT_TEST_TYPED"

func TestASignalEndsCommandsThatWaitForInput(t *testing.T) {
	if line := os.Getenv(typed); line != "" {
		ctx, stop := interruptible()
		defer stop()
		fmt.Println("ready")
		a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv}
		os.Exit(a.run(ctx, strings.Fields(line)))
	}
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"sim decide -":       "stopped before the end",
		"sim decide " + pipe: "stopped before the end",
		"sim compare --html " + folder + "/c.html -": folder + "/c.html is not written",
		"sim run -":   "stopped before the end",
		"sim bound -": "stopped before the end",
		"sim explain --svg " + folder + "/e.svg -": folder + "/e.svg is not written",
		"sim sweep --out " + folder + "/s.jsonl -": "stopped before the end",
		"workload stat -":                          "stopped before the end",
		"workload convert - " + folder + "/c.csv":  "stopped before the end",
		"job submit --file -":                      "stopped before the end",
		"plan submit --file -":                     "stopped before the end",
	} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			if o := signalled(t, line, signal); o.code != exitStopped || o.out != "" || !strings.HasPrefix(o.err, "aliquot: ") ||
				!strings.Contains(o.err, want) {
				t.Errorf("%s, %v: %+v", line, signal, o)
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left beside the pipe: %v, %v", left, err)
	}
}

// signalled runs a command line in a new process without input, sends a signal, and returns the outcome.
func signalled(t *testing.T, line string, signal os.Signal) outcome {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestASignalEndsCommandsThatWaitForInput$")
	c.Env = append(os.Environ(), typed+"="+line, "ALIQUOT_TOKEN=none")
	var wrong strings.Builder
	c.Stderr = &wrong
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	said := started(t, c)
	_ = c.Process.Signal(signal)
	var rest strings.Builder
	for said.Scan() {
		rest.WriteString(said.Text() + "\n")
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), rest.String(), wrong.String()}
}

// stoppedAtOnce runs a command line that is interrupted before it begins.
func (d *desk) stoppedAtOnce(line string) outcome {
	ctx, stop := context.WithCancel(d.Context())
	stop()
	var out, wrong strings.Builder
	a := &app{in: strings.NewReader(""), out: &out, err: &wrong, env: func(name string) (string, bool) {
		value, ok := d.env[name]
		return value, ok
	}}
	code := a.run(ctx, strings.Fields(line))
	return outcome{code, out.String(), wrong.String()}
}

func TestWhoIsStoppedWhileAskingAManagerSaysSo(t *testing.T) {
	d := busy(t)
	for _, line := range []string{"overview", "job wait j1", "job list", "job cancel j1 j2", "node drain n1", "plan",
		"job submit --cpu 1 --memory 96Mi -- /bin/true"} {
		if o := d.stoppedAtOnce(line); o.code != exitStopped || !strings.Contains(o.err, "stopped before the end: ") {
			t.Errorf("%s: %+v", line, o)
		}
	}
	for _, line := range []string{"top", "events -f"} { // these commands end only by a signal
		if o := d.stoppedAtOnce(line); o.code != exitDone || o.err != "" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}
