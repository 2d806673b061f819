package libvirt

import (
	"context"
	"errors"
	"fmt"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/monitor"
)

// bootDisk makes the VM boot the disk of its run. The format of each file and the whole chain behind a disk are named,
// so that neither libvirt nor QEMU looks for them in files that guests and others have written. A data file cannot be
// named or ruled out here: monitor.Folder.Give refuses a disk that has one.
func bootDisk(d *libvirtxml.Domain, m monitor.Machine) {
	d.OS.BootDevices = []libvirtxml.DomainBootDevice{{Dev: "hd"}}
	disk := mediumOf("vda", "qcow2", m.Folder.Disk())
	disk.Driver.Discard = "unmap"
	disk.Driver.ErrorPolicy, disk.Driver.RErrorPolicy = "stop", "stop" // the guest sees no error of the store
	disk.BackingStore = &libvirtxml.DomainDiskBackingStore{
		Format: &libvirtxml.DomainDiskFormat{Type: "qcow2"}, Source: unowned(m.Image.Disk),
		BackingStore: &libvirtxml.DomainDiskBackingStore{},
	}
	seed := mediumOf("vdb", "raw", m.Folder.Seed())
	seed.ReadOnly = &libvirtxml.DomainDiskReadOnly{}
	d.Devices.Disks = []libvirtxml.DomainDisk{disk, seed}
}

// mediumOf returns a disk that the VM has. Nodes share its file, so none of them may keep parts of it in its cache.
func mediumOf(target, format, path string) libvirtxml.DomainDisk {
	return libvirtxml.DomainDisk{
		Device: "disk", Driver: &libvirtxml.DomainDiskDriver{Name: "qemu", Type: format, Cache: "none"},
		Source: unowned(path), Target: &libvirtxml.DomainDiskTarget{Dev: target, Bus: "virtio"},
	}
}

// errDisk is the error for a VM that QEMU stopped because of its disk.
var errDisk = errors.New("its disk failed: is the store full? It was resumed, to try again")

// diskError returns errDisk if QEMU stopped a VM in that state because of its disk.
func diskError(s libvirt.DomainState, reason int) error {
	if s == libvirt.DOMAIN_PAUSED && libvirt.DomainPausedReason(reason) == libvirt.DOMAIN_PAUSED_IOERROR {
		return errDisk
	}
	return nil
}

// unowned returns a file whose owner libvirt leaves alone: see monitor.Folder.Give.
func unowned(path string) *libvirtxml.DomainDiskSource {
	return &libvirtxml.DomainDiskSource{File: &libvirtxml.DomainDiskSourceFile{File: path,
		SecLabel: []libvirtxml.DomainDeviceSecLabel{{Model: "dac", Relabel: "no"}}}}
}

// share has disks show the copies of images on the store, which the node has that a VM moves to.
func (c Config) share(disks []libvirtxml.DomainDisk) {
	for _, d := range disks {
		if b := d.BackingStore; b != nil && b.Source != nil && b.Source.File != nil {
			b.Source.File.File = c.shared(b.Source.File.File)
		}
	}
}

// give gives the disks of a VM to the user as whom libvirt runs it.
func (h qemu) give(ctx context.Context, m monitor.Machine) error {
	if m.Image.Disk == "" {
		return nil
	}
	chosen, err := h.choose(ctx)
	if err != nil {
		return err
	}
	if !chosen.user.known {
		return fmt.Errorf("libvirt does not say as which user it runs VMs; is its security driver dac switched off?")
	}
	return m.Folder.Give(m.Image, chosen.user.uid, chosen.user.gid)
}

// user is the user and the group as whom libvirt runs VMs.
type user struct {
	uid, gid int
	known    bool // the user may be root
}

// userHere asks libvirt for the user of VMs.
func (h qemu) userHere(ctx context.Context) (u user, err error) {
	err = h.on(ctx, func(conn *libvirt.Connect) error {
		text, err := conn.GetCapabilities()
		if err == nil {
			u, err = userOf(text)
		}
		return err
	})
	return u, err
}

// userOf returns the user of VMs in libvirt's capabilities.
func userOf(capabilities string) (u user, err error) {
	var caps libvirtxml.Caps
	if err := caps.Unmarshal(capabilities); err != nil {
		return u, fmt.Errorf("read capabilities: %w", err)
	}
	for _, model := range caps.Host.SecModel {
		for _, label := range model.Labels {
			if model.Name != "dac" {
				continue
			}
			if _, err := fmt.Sscanf(label.Value, "+%d:+%d", &u.uid, &u.gid); err != nil {
				return user{}, fmt.Errorf("read the user of VMs %q: %w", label.Value, err)
			}
			u.known = true
		}
	}
	return u, nil
}
