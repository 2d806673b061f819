package monitor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/monitor/seed"
	"aliquot/wire/image"
	"aliquot/wire/image/qcow2"
)

// Medium is a disk that a run's VM finds when it starts.
type Medium interface {
	make(root *os.Root, f Folder, task []byte) error
}

// errNoAgent is the error for a disk image on a node without the agent.
var errNoAgent = errors.New(
	"this node has no agent for disk images: install the package aliquot-guest, or run ./scripts/guest-image")

// disksOf returns the disks of a VM with the image; none for an image of kind kernel.
func (a *Agent) disksOf(o cluster.Order, vm VM, image Image) []Medium {
	if image.Disk == "" {
		return nil
	}
	return []Medium{overlay{image.Disk, o.Spec.Disk}, seeding{a.config.Agent, o, vm}}
}

// overlay is the disk of a run, which shows that of its image.
type overlay struct {
	behind string        // path of the image's disk on this node
	size   cluster.Bytes // at least, in bytes
}

// make writes the path of the image on the store into the disk, for people. VMs are told the path themselves.
func (d overlay) make(root *os.Root, f Folder, _ []byte) error {
	least, err := image.DiskSize(filepath.Dir(d.behind))
	if err != nil {
		return err
	}
	file, err := fresh(root, f.within(f.Disk()))
	if err != nil {
		return fmt.Errorf("make the run's disk: %w", err)
	}
	defer file.Close()
	if err := qcow2.Overlay(file, max(int64(d.size), least), onStore(d.behind)); err != nil {
		return fmt.Errorf("make the run's disk: %w", err)
	}
	return file.Close()
}

// onStore returns the path of an image's disk on the store, as seen from the folder of a run.
func onStore(disk string) string {
	return "../../../../images/" + filepath.Base(filepath.Dir(disk)) + "/disk"
}

// seeding is the disk from which the system of an image learns its task.
type seeding struct {
	agent string // path; "": there is none
	order cluster.Order
	vm    VM
}

func (d seeding) make(root *os.Root, f Folder, task []byte) error {
	if d.agent == "" {
		return errNoAgent
	}
	agent, err := os.Open(d.agent)
	if err != nil {
		return fmt.Errorf("read the agent for disk images: %w", err)
	}
	defer agent.Close()
	file, err := fresh(root, f.within(f.Seed()))
	if err != nil {
		return fmt.Errorf("make the run's seed: %w", err)
	}
	defer file.Close()
	s := seed.Seed{Instance: d.vm.UUID(), Hostname: fmt.Sprintf("%v-%d", d.vm.Run.Job, d.vm.Run.Index),
		UserData: d.order.Spec.CloudInit, Task: task, Agent: agent}
	if n := nicOf(d.vm, d.order, ""); n != nil {
		s.MAC, s.Address = n.MAC, fmt.Sprintf("%v/%d", n.Address, d.order.Bits)
	}
	if err := s.Write(file); err != nil {
		return err
	}
	return file.Close()
}

// fresh opens an empty file that only its owner can read.
func fresh(root *os.Root, name string) (*os.File, error) {
	file, err := openRegular(root, name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(0); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Give gives the disks of the run to the user and the group that run VMs. The hypervisor must not do that by itself: at
// the end of a migration it would take the disk away from the VM that has arrived. Give refuses a disk whose header
// names another file than the disk of the image.
func (f Folder) Give(image Image, uid, gid int) error {
	return f.enclosed(func(root *os.Root) error {
		err := f.onMedium(root, f.Disk(), func(file *os.File) error {
			if err := qcow2.CheckOverlay(file, onStore(image.Disk)); err != nil {
				return err
			}
			return file.Chown(uid, gid)
		})
		if err != nil {
			return err
		}
		return f.onMedium(root, f.Seed(), func(file *os.File) error { return file.Chown(uid, gid) })
	})
}

// onMedium opens one of the run's disks for an operation.
func (f Folder) onMedium(root *os.Root, path string, do func(*os.File) error) error {
	file, err := openRegular(root, f.within(path), unix.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("open the run's disk: %w", err)
	}
	defer file.Close()
	if err := do(file); err != nil {
		return fmt.Errorf("give the run's %s to the user of VMs: %w", filepath.Base(path), err)
	}
	return nil
}
