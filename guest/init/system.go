//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	if err := unix.FinitModule(int(f.Fd()), "", 0); err != unix.ENODEV { // a driver of another hypervisor's devices
		return err
	}
	return nil
}

const portDeadline = 2 * time.Minute

// openStream opens the stream to the node that has that name, where a port carries it on QEMU and a disk on Xen.
func openStream(name string) (io.Writer, error) {
	if !onXen() {
		return openPort(name)
	}
	file, err := openDisk(disks[name], unix.O_WRONLY|unix.O_DSYNC|unix.O_EXCL)
	if err != nil {
		return nil, err
	}
	return protocol.NewBlockWriter(file), nil
}

func onXen() bool {
	b, err := os.ReadFile("/sys/hypervisor/type")
	return err == nil && strings.TrimSpace(string(b)) == "xen"
}

// disks are the disks of a VM on Xen.
var disks = map[string]string{
	protocol.TaskEntry:   "/dev/" + protocol.TaskDisk,
	protocol.ControlPort: "/dev/" + protocol.ControlDisk,
	protocol.OutputPort:  "/dev/" + protocol.OutputDisk,
	protocol.ResultPort:  "/dev/" + protocol.ResultDisk,
}

// openDisk waits for the disk to appear.
func openDisk(device string, flags int) (*os.File, error) {
	for deadline := time.Now().Add(portDeadline); ; time.Sleep(2 * time.Millisecond) {
		fd, err := unix.Open(device, flags|unix.O_CLOEXEC, 0)
		if err == nil {
			return os.NewFile(uintptr(fd), device), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || time.Now().After(deadline) {
			return nil, fmt.Errorf("open a disk of the domain: %w", err)
		}
	}
}

// openPort opens the virtio-serial port of that name for writing. It waits for the port to appear,
// because the driver learns names some time after it is loaded. The file blocks: a full port must stop
// the writer, not lose its frame.
func openPort(name string) (io.Writer, error) {
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

// ownTask reads the task of an image of kind kernel. A disk is filled up with zeros.
func ownTask() (protocol.Task, error) {
	if !onXen() {
		return readTask(firmwareTask)
	}
	file, err := openDisk(disks[protocol.TaskEntry], unix.O_RDONLY)
	if err != nil {
		return protocol.Task{}, err
	}
	defer file.Close()
	b, err := io.ReadAll(file)
	if err != nil {
		return protocol.Task{}, fmt.Errorf("read the task: %w", err)
	}
	return protocol.DecodeTask(bytes.TrimRight(b, "\x00"))
}
