package libvirt

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
)

// paused is a machine that is to be restored, and the description that libvirt keeps with its memory image.
func paused(t *testing.T) (monitor.Machine, string) {
	t.Helper()
	run := cluster.RunID{Job: 17, Number: 1}
	m := monitor.Machine{
		VM: monitor.VM{Cluster: [16]byte{1, 2, 3, 4}, Run: run}, Project: "p", VCPUs: 2, Memory: 96 * cluster.MiB, Cap: 1500,
		Platform: "kvm/pc-q35-7.2/Haswell", Image: monitor.Image{Kernel: "/i/kernel", Initrd: "/i/initrd", Cmdline: "quiet"},
		Folder: monitor.RunFolder("/store", run),
	}
	text, err := domainOf(m, platform{"kvm", "pc-q35-7.2", "Haswell"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for before, after := range map[string]string{
		`</model>`: `</model><vendor>Intel</vendor><feature policy="require" name="vmx"/>`,
		`<devices>`: `<devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
			<controller type="pci" index="0" model="pcie-root"/><controller type="virtio-serial" index="0">
			<address type="pci" domain="0x0000" bus="0x01" slot="0x00" function="0x0"/></controller>
			<input type="mouse" bus="ps2"/><audio id="1" type="none"/>`,
		`name="org.aliquot.output"></target>`: `name="org.aliquot.output"></target>
			<address type="virtio-serial" controller="0" bus="0" port="2"/>`,
	} {
		if !strings.Contains(text, before) {
			t.Fatalf("no %s in %s", before, text)
		}
		text = strings.Replace(text, before, after, 1)
	}
	return m, text
}

func TestARestoredVMKeepsTheHardwareThatItsGuestKnows(t *testing.T) {
	m, image := paused(t)
	m.Cap = 300
	text, err := restored(m, image, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`<feature policy="require" name="vmx">`, `<vendor>Intel</vendor>`, `model="pcie-root"`, `bus="0x01" slot="0x00"`,
		`<input type="mouse" bus="ps2">`, `<audio id="1" type="none">`, `controller="0" bus="0" port="2"`,
		`<global_quota>30000</global_quota>`, `<kernel>/i/kernel</kernel>`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func TestAForgedImageChangesNothingOutsideOfItsVM(t *testing.T) {
	m, image := paused(t)
	honest, err := restored(m, image, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var d libvirtxml.Domain
	if err := d.Unmarshal(image); err != nil {
		t.Fatal(err)
	}
	d.Devices.Emulator, d.OS.Kernel, d.OS.Initrd, d.OS.Cmdline = "/evil/qemu", "/evil/kernel", "/evil/initrd", "init=/evil"
	d.OS.Loader = &libvirtxml.DomainLoader{Path: "/evil/loader"}
	d.SysInfo[0].FWCfg.Entry[0].File = "/evil/task"
	d.Devices.Serials[0].Source.File.Path = "/evil/console"
	d.Devices.Channels[0].Source = &libvirtxml.DomainChardevSource{
		Dev: &libvirtxml.DomainChardevSourceDev{Path: "/dev/evil"}}
	d.Devices.Channels[1].Source.File.Path = "/evil/output"
	d.Devices.Controllers[0].Driver = &libvirtxml.DomainControllerDriver{IOEventFD: "on"}
	d.Devices.Audios = append(d.Devices.Audios, libvirtxml.DomainAudio{ID: 2,
		File: &libvirtxml.DomainAudioFile{Path: "/evil/audio"}})
	d.Devices.Watchdogs = []libvirtxml.DomainWatchdog{{Model: "i6300esb", Action: "dump"}}
	d.SecLabel = []libvirtxml.DomainSecLabel{{Type: "none", Model: "evil"}}
	d.QEMUCommandline = &libvirtxml.DomainQEMUCommandline{Args: []libvirtxml.DomainQEMUCommandlineArg{{Value: "-evil"}}}
	d.MemoryBacking = &libvirtxml.DomainMemoryBacking{MemoryLocked: &libvirtxml.DomainMemoryLocked{}}
	forged, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	text, err := restored(m, forged, 0, nil)
	if diff := cmp.Diff(honest, text); err != nil || diff != "" {
		t.Errorf("the forged image restores another VM: %v\n%s", err, diff)
	}
}

func TestAnImageOfAnotherVMIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"a name":        {"<name>aliquot-", "<name>aliquit-"},
		"more memory":   {"<memory unit=\"KiB\">129024<", "<memory unit=\"KiB\">1290240<"},
		"less memory":   {"<memory unit=\"KiB\">129024<", "<memory unit=\"KiB\">12902<"},
		"another unit":  {"<memory unit=\"KiB\">", "<memory unit=\"MiB\">"},
		"vCPUs":         {"<vcpu>2<", "<vcpu>20<"},
		"a disk":        {"</devices>", "<disk type='file'><source file='/etc/shadow'/><target dev='vda'/></disk></devices>"},
		"a folder":      {"</devices>", "<filesystem type='mount'><source dir='/'/><target dir='x'/></filesystem></devices>"},
		"a real device": {"</devices>", "<hostdev mode='subsystem' type='pci'/></devices>"},
		"a network":     {"</devices>", "<interface type='bridge'><source bridge='br0'/></interface></devices>"},
		"a sly feature": {"name=\"vmx\"", "name=\"vmx,evil=on\""},
		"no devices":    {"devices>", "device>"},
		"no XML":        {"<domain", "<"},
	} {
		m, image := paused(t)
		forged := strings.ReplaceAll(image, c.before, c.after)
		if text, err := restored(m, forged, 0, nil); !errors.Is(err, monitor.ErrUnreadable) {
			t.Errorf("%s: restores %s, error %v", name, text, err)
		}
	}
}

func TestMemoryThatLibvirtHasRoundedUpStaysSo(t *testing.T) {
	m, image := paused(t)
	m.Memory -= 4096
	if text, err := restored(m, image, 0, nil); err != nil || !strings.Contains(text, `<memory unit="KiB">129024<`) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAnImageOfAVMWithoutMemoryForItsSystemIsRestored(t *testing.T) {
	m, image := paused(t)
	earlier := strings.ReplaceAll(image, ">129024<", ">98304<")
	if text, err := restored(m, earlier, 0, nil); err != nil || !strings.Contains(text, `<memory unit="KiB">98304<`) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAnImageOfAVMWithoutAPortForResultsIsRestored(t *testing.T) {
	m, image := paused(t)
	var d libvirtxml.Domain
	if err := d.Unmarshal(image); err != nil {
		t.Fatal(err)
	}
	d.Devices.Channels = d.Devices.Channels[:2]
	earlier, err := d.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := restored(m, earlier, 0, nil); err != nil || strings.Contains(text, "results") {
		t.Errorf("%v: %s", err, text)
	}
}
