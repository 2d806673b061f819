// Package labtest tests the whole: managers, monitors and fences as they are shipped, with
// real libvirt, QEMU and Raft, on three nodes of a lab that lives as long as the test
// process.
//
// Nothing here looks inside a program. Jobs go in through REST, and what comes of them is
// read through REST, from what the guests wrote, and from the machine itself: its
// processes, and the cgroups of the VMs.
//
// Invariants: tests run one after the other, each in an empty cluster; they wait for what
// can be seen and never just for time to pass; the lab is removed however the process ends.
// While a test runs, no node's memory may be promised, or taken by VMs, beyond its capacity.
//
// Reference: scripts/lab, which makes the nodes.
package labtest

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
)

// theLab is brought up by the first test that needs it.
var theLab = sync.OnceValues(raise)

// raised is the lab that has to be removed, if any: set before anything of it exists.
var raised struct {
	sync.Mutex
	guardian *guardian
}

func TestMain(m *testing.M) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		fmt.Fprintln(os.Stderr, "labtest:", <-signals)
		dismantle()
		os.Exit(1)
	}()
	code := m.Run()
	if err := dismantle(); err != nil {
		fmt.Fprintln(os.Stderr, "labtest: the lab was not removed:", err)
		code = 1
	}
	os.Exit(code)
}

func dismantle() error {
	raised.Lock()
	defer raised.Unlock()
	if raised.guardian == nil {
		return nil
	}
	defer func() { raised.guardian = nil }()
	return raised.guardian.dismiss()
}
