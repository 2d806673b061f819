package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// stubborn makes the test's process one that ignores the first signal.
const stubborn = "ALIQUOT_TEST_STUBBORN"

func TestTheSecondSignalKills(t *testing.T) {
	if os.Getenv(stubborn) != "" {
		ctx, stop := interruptible()
		defer stop()
		fmt.Println("ready")
		<-ctx.Done()
		fmt.Println("told")
		time.Sleep(patience)
		return
	}
	c := exec.Command(os.Args[0], "-test.run=^TestTheSecondSignalKills$")
	c.Env = append(os.Environ(), stubborn+"=1")
	said := started(t, c)
	_ = c.Process.Signal(os.Interrupt)
	if !said.Scan() || said.Text() != "told" {
		t.Errorf("it said %q, not that it was told", said.Text())
	}
	_ = c.Process.Signal(os.Interrupt)
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	again := time.NewTicker(50 * time.Millisecond) // the handler is restored shortly after the first signal
	defer again.Stop()
	for {
		select {
		case <-again.C:
			_ = c.Process.Signal(os.Interrupt)
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("it ended otherwise: %v", err)
			}
			return
		}
	}
}

// started starts a process, waits until it is ready, and returns its later output.
func started(t *testing.T, c *exec.Cmd) *bufio.Scanner {
	t.Helper()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	if !said.Scan() || said.Text() != "ready" {
		t.Errorf("%v: it said %q, not that it is ready", c.Args, said.Text())
	}
	return said
}
