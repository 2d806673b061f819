// Package labtest tests the whole: managers, monitors and fences as shipped, with real libvirt, QEMU and Raft, on
// three nodes of a lab that lives as long as the test process.
//
// It does not look inside a program. Jobs are submitted through REST. Their outcome is read through REST, from the
// output of the guests, and from the machine itself: its processes, and the cgroups of the VMs.
//
// Invariants: tests run one after the other, each in an empty cluster. They wait for observable conditions and never
// just for time to pass. The lab is removed however the process ends. While a test runs, neither promises nor VMs
// exceed a node's memory.
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

// theLab is created by the first test that needs it.
var theLab = sync.OnceValues(raise)

// raised is the lab to remove, if any. It is set before any part of the lab exists.
var raised struct {
	sync.Mutex
	guardian *guardian
	guests   func() error // removes what uses the lab, if anything does
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
	if raised.guests != nil {
		if err := raised.guests(); err != nil {
			return err
		}
	}
	return raised.guardian.dismiss()
}
