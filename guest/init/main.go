//go:build linux

// Command init is process 1 of the guest image. It runs one task, reports the outcome by the guest protocol, and
// powers the machine off.
//
// It is not a general init: it has no services, no disks, and no network but loopback and the card that its task asks
// for. It sets the clock after the machine stood still. If init dies at any point, the kernel panics and the control
// stream has no Exit. The node counts that as a failure.
//
// The same binary plays four parts, told apart by argument zero: init itself; the keeper, process 1 of the task's
// namespaces; the task before its exec; and the agent, which does the same for a task in a disk image, beside an init
// that is not ours. There the task is root of its machine, and nothing confines it.
//
// Reference: package protocol, and Linux's Documentation/admin-guide/init.rst.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// memoryLimit keeps init within a few MiB: the guest's memory is the task's.
const memoryLimit = 8 << 20

func main() {
	debug.SetMemoryLimit(memoryLimit)
	// Namespaces and capabilities belong to a thread, so everything is forked from this one.
	runtime.LockOSThread()
	switch {
	case os.Args[0] == keeperName:
		fail(keep())
	case os.Args[0] == taskName:
		execTask(os.Args[1:], dropCapabilities)
	case os.Args[0] == freeTaskName:
		execTask(os.Args[1:], func() error { return rankForOOM(0) })
	case filepath.Base(os.Args[0]) == agentName && len(os.Args) == 2:
		if err := serve(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "aliquot agent:", err)
		}
		powerOff()
	case os.Getpid() == 1:
		if err := boot(); err != nil {
			fmt.Fprintln(os.Stderr, "aliquot init:", err)
		}
		powerOff()
	default:
		fail(fmt.Errorf("this is the init of a guest image; it runs as process 1 only"))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "aliquot init:", err)
	os.Exit(1)
}

// boot returns an error only if there is no control stream to report it on.
func boot() error {
	if err := mountAll(system); err != nil {
		return err
	}
	if err := loadModules(); err != nil {
		return err
	}
	control, err := openStream(protocol.ControlPort)
	if err != nil {
		return err
	}
	if err := protocol.WriteControl(control, protocol.Hello{Version: protocol.Version}); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	go keepTime()
	return protocol.WriteControl(control, outcome(runTask(control)))
}

// outcome returns the last message about a task.
func outcome(exit protocol.Exit, err error) protocol.Message {
	if err != nil {
		return protocol.Error{Text: err.Error()}
	}
	return exit
}

func powerOff() {
	unix.Sync()
	fail(unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF))
}
