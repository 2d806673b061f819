package libvirt

import (
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"

	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/guest/stream"
	"aliquot/monitor"
)

// platform is the virtual hardware to which a run is bound from its first start on.
type platform struct {
	accel   string // kvm or tcg
	machine string // versioned
	model   string // of the CPU
}

func (p platform) String() string { return p.accel + "/" + p.machine + "/" + p.model }

func parsePlatform(s string) (platform, error) {
	part := strings.Split(s, "/")
	if len(part) != 3 || part[0] != "kvm" && part[0] != "tcg" {
		return platform{}, fmt.Errorf("platform %q is not of the form kvm|tcg/MACHINE/CPU", s)
	}
	return platform{part[0], part[1], part[2]}, nil
}

// domainType returns libvirt's word for the accelerator.
func (p platform) domainType() string {
	if p.accel == "kvm" {
		return "kvm"
	}
	return "qemu"
}

// translationCache limits QEMU's cache of translated code; its default is sized for one large VM.
const translationCache = 16 // MiB

// domainOf returns the text that describes a new VM, whose vCPUs only the given CPUs run; nil: all.
func domainOf(m monitor.Machine, on platform, speed cluster.Speed, cpus []int) (string, error) {
	return marshal(describe(m, on, speed, cpus))
}

// describe describes a VM, in the same way for all starts and platforms. QEMU starts in the foreground, because it
// would take minutes in the background of a busy node.
func describe(m monitor.Machine, on platform, speed cluster.Speed, cpus []int) *libvirtxml.Domain {
	tune := tuningOf(m.Cap, cluster.Foreground, cores{m.VCPUs, speed}).described()
	tune.VCPUPin = pinsOf(cpus, m.VCPUs)
	d := &libvirtxml.Domain{
		Type:       on.domainType(),
		Name:       m.VM.Name(),
		UUID:       m.VM.UUID(),
		Metadata:   &libvirtxml.DomainMetadata{XML: metadataOf(m)},
		Memory:     &libvirtxml.DomainMemory{Value: uint((m.Memory + cluster.GuestSystem) / 1024), Unit: "KiB"},
		VCPU:       &libvirtxml.DomainVCPU{Value: uint(m.VCPUs)},
		CPUTune:    tune,
		OS:         &libvirtxml.DomainOS{Type: &libvirtxml.DomainOSType{Arch: "x86_64", Machine: on.machine, Type: "hvm"}},
		Features:   featuresOf(on),
		CPU:        cpuOf(on),
		OnPoweroff: "destroy", OnReboot: "destroy", OnCrash: "destroy",
		Devices: &libvirtxml.DomainDeviceList{
			Controllers: []libvirtxml.DomainController{{Type: "usb", Model: "none"}},
			Serials:     []libvirtxml.DomainSerial{{Source: appended(m.Folder.Console())}},
			Channels: []libvirtxml.DomainChannel{
				channel(protocol.ControlPort, m.Folder.Control()),
				channel(protocol.OutputPort, m.Folder.Output()),
				channel(protocol.ResultPort, m.Folder.Results()),
				duplex(stream.Port),
			},
			MemBalloon: &libvirtxml.DomainMemBalloon{Model: "none"},
			Panics:     []libvirtxml.DomainPanic{{Model: "isa"}},
		},
	}
	if m.NIC != nil {
		d.Devices.Interfaces = []libvirtxml.DomainInterface{card(m.NIC)}
	}
	if m.Image.Disk != "" {
		bootDisk(d, m)
	} else {
		bootKernel(d, m)
	}
	return d
}

// cpuOf describes the processor. An emulated one has no time stamp counter: a guest's kernel has to measure the rate of
// that when it boots, and one that gets little CPU meanwhile measures too little. Its clock would be too fast for ever,
// and wrong on every node of another rate. Without the counter it reads the HPET, whose rate it is told.
func cpuOf(on platform) *libvirtxml.DomainCPU {
	cpu := &libvirtxml.DomainCPU{Mode: "custom", Match: "exact",
		Model: &libvirtxml.DomainCPUModel{Fallback: "forbid", Value: on.model}}
	if on.accel == "tcg" {
		cpu.Features = []libvirtxml.DomainCPUFeature{{Policy: "disable", Name: "tsc"}}
	}
	return cpu
}

// bootKernel makes the VM boot the kernel of its image and read its task from the firmware.
func bootKernel(d *libvirtxml.Domain, m monitor.Machine) {
	d.OS.Kernel, d.OS.Initrd, d.OS.Cmdline = m.Image.Kernel, m.Image.Initrd, m.Image.Cmdline
	d.SysInfo = []libvirtxml.DomainSysInfo{{FWCfg: &libvirtxml.DomainSysInfoFWCfg{
		Entry: []libvirtxml.DomainSysInfoEntry{{Name: protocol.TaskEntry, File: m.Folder.Task()}},
	}}}
}

func marshal(d *libvirtxml.Domain) (string, error) {
	text, err := d.Marshal()
	if err != nil {
		return "", fmt.Errorf("describe domain: %w", err)
	}
	return text, nil
}

func featuresOf(on platform) *libvirtxml.DomainFeatureList {
	f := &libvirtxml.DomainFeatureList{ACPI: &libvirtxml.DomainFeature{}}
	if on.accel == "tcg" {
		f.TCG = &libvirtxml.DomainFeatureTCG{TBCache: &libvirtxml.DomainFeatureTCGTBCache{Unit: "MiB",
			Size: translationCache}}
	}
	return f
}

func appended(path string) *libvirtxml.DomainChardevSource {
	return &libvirtxml.DomainChardevSource{File: &libvirtxml.DomainChardevSourceFile{Path: path, Append: "on"}}
}

func channel(name, path string) libvirtxml.DomainChannel {
	return libvirtxml.DomainChannel{
		Source: appended(path),
		Target: &libvirtxml.DomainChannelTarget{VirtIO: &libvirtxml.DomainChannelTargetVirtIO{Name: name}},
	}
}

// duplex describes a port with a socket, whose path libvirt chooses anew on each node.
func duplex(name string) libvirtxml.DomainChannel {
	return libvirtxml.DomainChannel{
		Source: &libvirtxml.DomainChardevSource{UNIX: &libvirtxml.DomainChardevSourceUNIX{Mode: "bind"}},
		Target: &libvirtxml.DomainChannelTarget{VirtIO: &libvirtxml.DomainChannelTargetVirtIO{Name: name}},
	}
}

// described returns the tuning as part of a domain's description.
func (t tuning) described() *libvirtxml.DomainCPUTune {
	tune := &libvirtxml.DomainCPUTune{Shares: &libvirtxml.DomainCPUTuneShares{Value: uint(t.weight.CpuShares)}}
	if t.quota.VcpuQuotaSet {
		tune.Period = &libvirtxml.DomainCPUTunePeriod{Value: t.quota.VcpuPeriod}
		tune.Quota = &libvirtxml.DomainCPUTuneQuota{Value: t.quota.VcpuQuota}
	} else {
		tune.GlobalPeriod = &libvirtxml.DomainCPUTunePeriod{Value: t.quota.GlobalPeriod}
		tune.GlobalQuota = &libvirtxml.DomainCPUTuneQuota{Value: t.quota.GlobalQuota}
	}
	return tune
}

// destined returns a domain's description for the node that it moves to: with the given cap, in the foreground, bound
// to no processor, and with the files of its image in the folder that both nodes see. A peer of another speed corrects
// the quota when it has the VM.
func (c Config) destined(description string, cap cluster.CPU) (string, error) {
	var d libvirtxml.Domain
	if err := d.Unmarshal(description); err != nil {
		return "", fmt.Errorf("read domain description: %w", err)
	}
	tune := tuningOf(cap, cluster.Foreground, cores{int(d.VCPU.Value), c.Speed}).described()
	if d.CPUTune == nil {
		d.CPUTune = tune
	}
	d.CPUTune.Shares, d.CPUTune.Period, d.CPUTune.Quota = tune.Shares, tune.Period, tune.Quota
	d.CPUTune.GlobalPeriod, d.CPUTune.GlobalQuota = tune.GlobalPeriod, tune.GlobalQuota
	d.CPUTune.VCPUPin = nil
	if d.OS != nil {
		d.OS.Kernel, d.OS.Initrd = c.shared(d.OS.Kernel), c.shared(d.OS.Initrd)
	}
	if d.Devices != nil {
		c.share(d.Devices.Disks)
	}
	return marshal(&d)
}

// shared returns the path on the store of a file of this node's copy of an image.
func (c Config) shared(path string) string {
	if file, ours := strings.CutPrefix(path, c.Images+"/"); ours && c.Images != "" {
		return filepath.Join(c.Shared, file)
	}
	return path
}

// metadataOf shows people and other programs to which run a VM belongs.
func metadataOf(m monitor.Machine) string {
	text, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"urn:aliquot:run:1 run"`
		Cluster string   `xml:"cluster,attr"`
		Run     string   `xml:"run,attr"`
		Job     string   `xml:"job,attr"`
		Project string   `xml:"project,attr"`
	}{Cluster: hex.EncodeToString(m.VM.Cluster[:]), Run: m.VM.Run.String(), Job: m.VM.Run.Job.String(),
		Project: m.Project})
	if err != nil {
		panic(fmt.Sprintf("metadata of %v: %v", m.VM.Run, err))
	}
	return string(text)
}
