package libvirt

import (
	"fmt"
	"path/filepath"
	"strings"

	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
)

// attached is the folder with links to the disks of the VMs on this node. Their names are the same on every node; the
// devices behind them differ.
const attached = "/run/aliquot/disks"

// describeXen describes a VM. Cap and weight are set before it runs.
func describeXen(m monitor.Machine) *libvirtxml.Domain {
	task := diskXen(m.VM, protocol.TaskDisk)
	task.ReadOnly = &libvirtxml.DomainDiskReadOnly{}
	return &libvirtxml.Domain{
		Type:     "xen",
		Name:     m.VM.Name(),
		UUID:     m.VM.UUID(),
		Metadata: &libvirtxml.DomainMetadata{XML: metadataOf(m)},
		Memory:   &libvirtxml.DomainMemory{Value: uint((m.Memory + cluster.GuestSystem) / 1024), Unit: "KiB"},
		VCPU:     &libvirtxml.DomainVCPU{Value: uint(m.VCPUs)},
		OS: &libvirtxml.DomainOS{
			Type:   &libvirtxml.DomainOSType{Arch: "x86_64", Machine: "xenpvh", Type: "xenpvh"},
			Kernel: m.Image.Kernel, Initrd: m.Image.Initrd,
			Cmdline: strings.ReplaceAll(m.Image.Cmdline, "console=ttyS0", "console=hvc0"),
		},
		OnPoweroff: "destroy", OnReboot: "destroy", OnCrash: "destroy",
		Devices: &libvirtxml.DomainDeviceList{
			Disks:    []libvirtxml.DomainDisk{task, diskXen(m.VM, protocol.ControlDisk), diskXen(m.VM, protocol.OutputDisk)},
			Consoles: []libvirtxml.DomainConsole{{Target: &libvirtxml.DomainConsoleTarget{Type: "xen"}}},
		},
	}
}

func diskXen(vm monitor.VM, target string) libvirtxml.DomainDisk {
	return libvirtxml.DomainDisk{
		Device: "disk", Driver: &libvirtxml.DomainDiskDriver{Name: "phy", Type: "raw"},
		Source: &libvirtxml.DomainDiskSource{Block: &libvirtxml.DomainDiskSourceBlock{Dev: linkOf(vm.UUID(), target)}},
		Target: &libvirtxml.DomainDiskTarget{Dev: target, Bus: "xen"},
	}
}

// linkOf returns the link to a disk of the VM.
func linkOf(id, target string) string { return filepath.Join(attached, id, target) }

// mismatchXen returns an error if the description in an image is not that of the machine. libxl opens what it names.
func mismatchXen(m monitor.Machine, image string) error {
	var saved libvirtxml.Domain
	if err := saved.Unmarshal(image); err != nil {
		return fmt.Errorf("read its description: %w", err)
	}
	if saved.Memory == nil || saved.VCPU == nil || saved.Devices == nil || saved.OS == nil || saved.OS.Type == nil {
		return fmt.Errorf("its description lacks memory, vCPUs, system or devices")
	}
	want := describeXen(m)
	switch {
	case saved.Name != want.Name || saved.UUID != want.UUID:
		return fmt.Errorf("it is not an image of %s", want.Name)
	case saved.OS.Type.Type != want.OS.Type.Type:
		return fmt.Errorf("it is of a VM of the kind %s", saved.OS.Type.Type)
	case saved.Memory.Value != want.Memory.Value || saved.VCPU.Value != want.VCPU.Value:
		return fmt.Errorf("it has %d KiB and %d vCPUs, but the task has %d and %d", saved.Memory.Value, saved.VCPU.Value,
			want.Memory.Value, want.VCPU.Value)
	case len(saved.Devices.Interfaces) > 0:
		return fmt.Errorf("it has %d network cards, which no VM on Xen has", len(saved.Devices.Interfaces))
	}
	return otherDisks(saved.Devices, want.Devices)
}

// otherDisks returns an error unless the devices are the wanted disks and a console.
func otherDisks(saved, want *libvirtxml.DomainDeviceList) error {
	names := func(l *libvirtxml.DomainDeviceList) (all []string) {
		for _, d := range l.Disks {
			if d.Source == nil || d.Source.Block == nil || d.Target == nil {
				return []string{"?"}
			}
			all = append(all, d.Target.Dev+"="+d.Source.Block.Dev)
		}
		return all
	}
	if is, wanted := strings.Join(names(saved), " "), strings.Join(names(want), " "); is != wanted {
		return fmt.Errorf("it has the disks %s, but the task has %s", is, wanted)
	}
	rest := *saved
	rest.Disks = nil
	for _, c := range rest.Consoles {
		if c.Source != nil && c.Source.Pty == nil {
			return fmt.Errorf("its console is not a terminal")
		}
	}
	rest.Consoles = nil
	return otherDevices(rest)
}
