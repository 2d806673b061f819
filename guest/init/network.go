//go:build linux

package main

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

const hosts = "/etc/hosts"

// connect raises loopback and the task's network card, and names its peers. The task lacks the capability to change
// addresses, unless it is root of its machine; the node drops what comes from others.
func connect(task protocol.Task) error {
	// Programs of the task reach each other at 127.0.0.1 and ::1, which the kernel then assigns.
	if err := onInterface("lo", setUp); err != nil {
		return fmt.Errorf("raise loopback: %w", err)
	}
	if task.Network == nil {
		return nil
	}
	name, err := findCard(task.Network.MAC)
	if err != nil {
		return err
	}
	own := netip.PrefixFrom(task.Addresses()[task.Index], task.Network.Bits)
	if err := onInterface(name, func(fd int, r *unix.Ifreq) error { return address(fd, r, own) }); err != nil {
		return fmt.Errorf("give %s the address %v: %w", name, own, err)
	}
	before, err := os.ReadFile(hosts)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(hosts, append(before, "\n"+task.Hosts()...), 0o644)
}

// findCard returns the name of the network card with the hardware address. It waits for the driver to find the card.
func findCard(mac string) (string, error) {
	for deadline := time.Now().Add(portDeadline); ; time.Sleep(2 * time.Millisecond) {
		files, _ := filepath.Glob("/sys/class/net/*/address")
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && strings.EqualFold(string(bytes.TrimSpace(b)), mac) {
				return filepath.Base(filepath.Dir(file)), nil
			}
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("no network card %s appeared within %v; the kernel needs a driver for virtio_net", mac,
				portDeadline)
		}
	}
}

// onInterface runs requests of the kernel about the interface of that name.
func onInterface(name string, do func(fd int, r *unix.Ifreq) error) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	return do(fd, request)
}

func setUp(fd int, r *unix.Ifreq) error {
	r.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, r)
}

// address gives the interface the address and raises it.
func address(fd int, r *unix.Ifreq, own netip.Prefix) error {
	mask := net.CIDRMask(own.Bits(), 32)
	for _, set := range []struct {
		request uint
		to      []byte
	}{{unix.SIOCSIFADDR, own.Addr().AsSlice()}, {unix.SIOCSIFNETMASK, mask}} {
		if err := r.SetInet4Addr(set.to); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(fd, set.request, r); err != nil {
			return err
		}
	}
	return setUp(fd, r)
}
