package libvirt

import (
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
	disks := []libvirtxml.DomainDisk{task, diskXen(m.VM, protocol.ControlDisk), diskXen(m.VM, protocol.OutputDisk)}
	if m.Outputs {
		disks = append(disks, diskXen(m.VM, protocol.ResultDisk))
	}
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
			Disks:    disks,
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
