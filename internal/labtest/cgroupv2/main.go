// Command cgroupv2 exercises monitor/libvirt on one node of a lab with cgroup v2 and prints its observations, one
// JSON object per line.
//
// It judges nothing: the test in the folder above runs it in an emulated Debian and compares the observations with
// the requests. The command reads the kernel's settings and the VMs' usage from the files of cgroup v2, independently
// of the monitor.
//
//	cgroupv2 shares|overload URI PEER STORE
//
// It runs inside the node whose libvirt is at URI. STORE, which both nodes see, holds the guest, spin. shares runs
// first and leaves a VM at PEER for overload.
//
// Reference: https://docs.kernel.org/admin-guide/cgroup-v2.html.
package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// limit is many times the duration of the scenes on an idle machine.
const limit = 10 * time.Minute

var scenes = map[string]func(*node) error{"shares": shares, "overload": overload}

func main() {
	if len(os.Args) != 5 || scenes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: cgroupv2 shares|overload URI PEER STORE")
		os.Exit(2)
	}
	if err := play(scenes[os.Args[1]], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "cgroupv2:", err)
		os.Exit(1)
	}
}

func play(scene func(*node) error, uri, peer, store string) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	n, err := open(ctx, uri, peer, store)
	if err != nil {
		return err
	}
	defer n.hypervisor.Close()
	return scene(n)
}
