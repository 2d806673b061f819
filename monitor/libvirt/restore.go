package libvirt

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"

	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
)

// restored returns the description of a VM that is restored from a memory image with the given description.
//
// The image comes from the store, where every node can write. So the VM is described anew from what was ordered. The
// image only contributes details of the virtual hardware that the hypervisor chose when the VM first started, and that
// the guest's memory depends on: features of the CPU, controllers and addresses. None of them names anything outside of
// the VM. The hypervisor refuses an image whose hardware is not the described one.
func restored(m monitor.Machine, image string, speed cluster.Speed, cpus []int) (string, error) {
	var saved libvirtxml.Domain
	if err := saved.Unmarshal(image); err != nil {
		return "", fmt.Errorf("%w: read its description: %w", monitor.ErrUnreadable, err)
	}
	if err := mismatch(m, &saved); err != nil {
		return "", fmt.Errorf("%w: %w", monitor.ErrUnreadable, err)
	}
	f, err := factsOf(image, qemu{}.platformIn)
	if err != nil {
		return "", err
	}
	on, err := parsePlatform(cmp.Or(m.Platform, f.platform))
	if err != nil {
		return "", err
	}
	d := describe(m, on, speed, cpus)
	d.Memory.Value = saved.Memory.Value
	d.CPU.Check, d.CPU.Vendor, d.CPU.Features = saved.CPU.Check, saved.CPU.Vendor, saved.CPU.Features
	takeHardware(d.Devices, saved.Devices)
	return marshal(d)
}

// word matches the names that may be taken from an image.
var word = regexp.MustCompile(`^[A-Za-z0-9._-]{0,64}$`)

// roundedUp is more than libvirt adds to the memory of a VM.
const roundedUp = 2 * cluster.MiB

// mismatch returns an error if the description of an image is certainly not that of the machine. VMs that an earlier
// version started have no memory for the guest's system.
func mismatch(m monitor.Machine, saved *libvirtxml.Domain) error {
	if saved.Memory == nil || saved.VCPU == nil || saved.CPU == nil || saved.Devices == nil {
		return fmt.Errorf("its description lacks memory, vCPUs, CPU or devices")
	}
	more := cluster.Bytes(saved.Memory.Value)*1024 - m.Memory
	switch {
	case saved.Name != m.VM.Name() || saved.UUID != m.VM.UUID():
		return fmt.Errorf("it is not an image of %s", m.VM.Name())
	case saved.Memory.Unit != "KiB" || more < 0 || more >= cluster.GuestSystem+roundedUp:
		return fmt.Errorf("it has %d %s of memory, but the task has %v", saved.Memory.Value, saved.Memory.Unit, m.Memory)
	case int(saved.VCPU.Value) != m.VCPUs:
		return fmt.Errorf("it has %d vCPUs, but the task has %d", saved.VCPU.Value, m.VCPUs)
	case !plainCPU(saved.CPU):
		return fmt.Errorf("the description of its CPU is not plain")
	}
	if (m.Image.Disk != "") != (len(saved.Devices.Disks) > 0) {
		return fmt.Errorf("it has %d disks, which its image cannot have", len(saved.Devices.Disks))
	}
	if (m.NIC != nil) != (len(saved.Devices.Interfaces) > 0) {
		return fmt.Errorf("it has %d network cards, which its job did not ask for", len(saved.Devices.Interfaces))
	}
	return otherDevices(*saved.Devices)
}

// plainCPU reports whether all that is taken from the description of a CPU are words.
func plainCPU(c *libvirtxml.DomainCPU) bool {
	plain := word.MatchString(c.Check) && word.MatchString(c.Vendor)
	for _, f := range c.Features {
		plain = plain && word.MatchString(f.Name) && word.MatchString(f.Policy)
	}
	return plain
}

// otherDevices returns an error if there are devices of kinds that no VM of the cluster has.
func otherDevices(d libvirtxml.DomainDeviceList) error {
	d.Emulator, d.Controllers, d.Serials, d.Consoles, d.Channels, d.Inputs = "", nil, nil, nil, nil, nil
	d.Audios, d.Watchdogs, d.MemBalloon, d.Panics, d.Disks, d.Interfaces = nil, nil, nil, nil, nil, nil
	if !reflect.DeepEqual(d, libvirtxml.DomainDeviceList{}) {
		return fmt.Errorf("it has devices that no VM of the cluster has")
	}
	return nil
}

// takeHardware completes our devices by what the hypervisor added to them. Aliases and drivers are left out.
func takeHardware(ours, saved *libvirtxml.DomainDeviceList) {
	ours.Controllers = nil
	for _, c := range saved.Controllers {
		ours.Controllers = append(ours.Controllers, libvirtxml.DomainController{Type: c.Type, Index: c.Index, Model: c.Model,
			PCI: c.PCI, USB: c.USB, VirtIOSerial: c.VirtIOSerial, Address: c.Address})
	}
	for _, i := range saved.Inputs {
		if i.Bus == "ps2" {
			ours.Inputs = append(ours.Inputs, libvirtxml.DomainInput{Type: i.Type, Bus: i.Bus})
		}
	}
	for _, a := range saved.Audios {
		if a.None != nil {
			ours.Audios = append(ours.Audios, libvirtxml.DomainAudio{ID: a.ID, None: a.None})
		}
	}
	for _, w := range saved.Watchdogs {
		if w.Model == "itco" {
			ours.Watchdogs = append(ours.Watchdogs, libvirtxml.DomainWatchdog{Model: w.Model, Action: "reset"})
		}
	}
	for i := range min(len(ours.Serials), len(saved.Serials)) {
		ours.Serials[i].Target, ours.Serials[i].Address = saved.Serials[i].Target, saved.Serials[i].Address
	}
	for i := range min(len(ours.Panics), len(saved.Panics)) {
		ours.Panics[i].Address = saved.Panics[i].Address
	}
	for i := range min(len(ours.Disks), len(saved.Disks)) {
		ours.Disks[i].Address = saved.Disks[i].Address
	}
	for i := range min(len(ours.Interfaces), len(saved.Interfaces)) {
		ours.Interfaces[i].Address = saved.Interfaces[i].Address
	}
	// VMs that an earlier version started have no channel for results or for streams.
	ours.Channels = ours.Channels[:min(len(ours.Channels), len(saved.Channels))]
	for i := range ours.Channels {
		ours.Channels[i].Address = saved.Channels[i].Address
	}
}
