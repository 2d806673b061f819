//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

type mount struct {
	source, target, kind string
	flags                uintptr
	data                 string
}

// system lists the mounts that init itself needs.
var system = []mount{
	{"proc", "/proc", "proc", unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC, ""},
	{"sys", "/sys", "sysfs", unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC, ""},
	{"dev", "/dev", "devtmpfs", unix.MS_NOSUID, "mode=0755"},
	{"tmp", "/tmp", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=1777"},
}

func mountAll(mounts []mount) error {
	for _, m := range mounts {
		if m.flags&(unix.MS_REMOUNT|unix.MS_BIND|unix.MS_PRIVATE) == 0 {
			if err := os.MkdirAll(m.target, 0o755); err != nil {
				return err
			}
		}
		if err := unix.Mount(m.source, m.target, m.kind, m.flags, m.data); err != nil {
			return fmt.Errorf("mount %s: %w", m.target, err)
		}
	}
	return nil
}

// loadModules loads the modules of the image in the order of their file names.
func loadModules() error {
	files, _ := filepath.Glob("/modules/*.ko")
	for _, file := range files {
		if err := loadModule(file); err != nil {
			return fmt.Errorf("load %s: %w", file, err)
		}
	}
	return nil
}

func loadModule(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.FinitModule(int(f.Fd()), "", 0)
}

const portDeadline = 2 * time.Minute

// openPort opens the virtio-serial port of that name for writing. It waits for the port to appear,
// because the driver learns names some time after it is loaded. The file blocks: a full port must stop
// the writer, not lose its frame.
func openPort(name string) (*os.File, error) {
	for deadline := time.Now().Add(portDeadline); ; time.Sleep(2 * time.Millisecond) {
		if device := findPort(name); device != "" {
			fd, err := unix.Open(device, unix.O_WRONLY|unix.O_CLOEXEC, 0)
			if err == nil {
				return os.NewFile(uintptr(fd), name), nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("open port %s: %w", name, err)
			}
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("port %s did not appear within %v; the domain needs a virtio channel of that name", name,
				portDeadline)
		}
	}
}

func findPort(name string) string {
	files, _ := filepath.Glob("/sys/class/virtio-ports/*/name")
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(b)) == name {
			return "/dev/" + filepath.Base(filepath.Dir(file))
		}
	}
	return ""
}

// firmwareTask is the file with the task of an image of kind kernel.
const firmwareTask = "/sys/firmware/qemu_fw_cfg/by_name/" + protocol.TaskEntry + "/raw"

func readTask(path string) (protocol.Task, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return protocol.Task{}, fmt.Errorf("read the task: %w", err)
	}
	return protocol.DecodeTask(b)
}
