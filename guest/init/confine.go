//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	keeperName = "aliquot-keeper"
	taskName   = "aliquot-task"
)

// confine moves the calling thread's future children into mount, IPC and pid namespaces of their own
// and starts the keeper, their process 1. When the keeper dies, the kernel kills all other processes
// in there.
func confine() (keeper int, err error) {
	// These settings close ways around the dropped capabilities: a new namespace with a root of its
	// own, more modules.
	for file, value := range map[string]string{"user/max_user_namespaces": "0", "kernel/modules_disabled": "1"} {
		if err := os.WriteFile("/proc/sys/"+file, []byte(value), 0); err != nil {
			return 0, err
		}
	}
	if err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWPID); err != nil {
		return 0, fmt.Errorf("unshare: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	keeper, err = start("/init", "/", []string{keeperName}, nil, []uintptr{0, w.Fd(), 2}, false)
	w.Close()
	if err != nil {
		return 0, fmt.Errorf("start the keeper: %w", err)
	}
	if _, err := io.ReadFull(r, make([]byte, len(ready))); err != nil {
		return 0, errors.New("the keeper could not set up the task's file systems; see the guest's console")
	}
	return keeper, nil
}

const ready = "ready"

// keep prepares the task's view of the machine, reports that it is ready, and stays until killed.
func keep() error {
	if err := mountAll(taskView); err != nil {
		return err
	}
	if err := makeDevices(); err != nil {
		return err
	}
	for _, path := range readOnly {
		if err := protect(path); err != nil {
			return err
		}
	}
	// A shortage of memory must kill the task, not the keeper.
	if err := rankForOOM(never); err != nil {
		return err
	}
	signal.Ignore() // SIGCHLD too: the kernel then reaps orphans by itself
	if _, err := os.Stdout.WriteString(ready); err != nil {
		return err
	}
	os.Stdout.Close()
	for {
		unix.Pause()
	}
}

// never is the rank of a process that a shortage of memory does not kill.
const never = -1000

// rankForOOM sets which processes a shortage of memory kills first: those of the highest rank. Children inherit it.
func rankForOOM(rank int) error {
	return os.WriteFile("/proc/self/oom_score_adj", []byte(strconv.Itoa(rank)), 0)
}

// taskView covers init's mounts. The task lacks the capability to uncover them.
var taskView = []mount{
	{"", "/", "", unix.MS_REC | unix.MS_PRIVATE, ""},
	{"dev", "/dev", "tmpfs", unix.MS_NOSUID, "mode=0755"},
	{"shm", "/dev/shm", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=1777"},
	terminals,
	{"proc", "/proc", "proc", unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC, ""},
}

// readOnly lists the places where root without any capability could still reach the kernel or its
// drivers: unbind a port, set a crash handler, stop the machine.
var readOnly = []string{"/sys", "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"}

func protect(path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return mountAll([]mount{
		{path, path, "", unix.MS_BIND | unix.MS_REC, ""},
		{"", path, "", unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC, ""},
	})
}

var devices = map[string]uint64{"null": unix.Mkdev(1, 3), "zero": unix.Mkdev(1, 5), "full": unix.Mkdev(1, 7),
	"random": unix.Mkdev(1, 8), "urandom": unix.Mkdev(1, 9), "tty": unix.Mkdev(5, 0)}

func makeDevices() error {
	for name, device := range devices {
		path := filepath.Join("/dev", name)
		if err := unix.Mknod(path, unix.S_IFCHR|0o666, int(device)); err != nil {
			return fmt.Errorf("make %s: %w", path, err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1",
		"stderr": "fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(target, "/dev/"+name); err != nil {
			return err
		}
	}
	return nil
}

// kept lists the capabilities of a task: those that programs in an ordinary container expect.
// Hardware, device nodes, modules and mounts are not among them.
var kept = []int{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID,
	unix.CAP_SETUID, unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_RAW, unix.CAP_SYS_CHROOT, unix.CAP_SETFCAP,
}

// dropCapabilities removes all other capabilities from the bounding set. That takes effect at the
// coming exec.
func dropCapabilities() error {
	for c := range unix.CAP_LAST_CAP + 1 {
		if slices.Contains(kept, c) {
			continue
		}
		// EINVAL means that this kernel does not know the capability.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil && err != unix.EINVAL {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	return nil
}
