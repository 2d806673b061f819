// Command tiers measures, on one node of a lab, what a background VM leaves to a foreground VM on the same core, and
// what it gets itself. It prints one JSON object per scene.
//
// It judges nothing. Two VMs of one vCPU, held by no cap, are pinned to CORE with all of their threads. The
// background VM always works. The foreground VM always works in the first scene, and half of the time in the others.
// The mechanism that puts the background VM in its place is the monitor's own, shares, or another to compare it with.
//
//	tiers URI STORE CORE MECHANISM...
//
// It runs inside the node whose libvirt is at URI. STORE, which QEMU can read, holds the guest, burst. One row of
// mechanism.go is a MECHANISM.
//
// Reference: https://docs.kernel.org/scheduler/sched-eevdf.html.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// limit is many times the duration of the scenes on an idle machine.
const limit = time.Hour

const (
	spinWindows = 3 // with both VMs always at work
	spinWindow  = 20 * time.Second
	turnWindow  = 500 * time.Millisecond // at least, with the foreground at work in turns
	turnTime    = 40 * time.Second       // for all of those, with the background running and frozen by turns
)

// bursts are the durations of the foreground's turns, in milliseconds.
var bursts = []int{5, 50, 500}

func main() {
	if err := measure(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tiers:", err)
		os.Exit(1)
	}
}

func measure(args []string) error {
	if len(args) < 4 {
		return errors.New("want URI STORE CORE and at least one MECHANISM")
	}
	core, err := strconv.Atoi(args[2])
	if err != nil {
		return fmt.Errorf("core: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	n, err := open(ctx, args[0], args[1], core)
	if err != nil {
		return err
	}
	defer n.hypervisor.Close()
	for _, name := range args[3:] {
		for _, turn := range append([]int{0}, bursts...) {
			s, err := n.scene(name, turn)
			if err != nil {
				return fmt.Errorf("%s at %d ms: %w", name, turn, err)
			}
			if err := json.NewEncoder(os.Stdout).Encode(s); err != nil {
				return err
			}
		}
	}
	return nil
}
