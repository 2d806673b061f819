package libvirt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/monitor"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

// machineXen is a machine for Xen.
func machineXen() monitor.Machine {
	return monitor.Machine{
		VM: monitor.VM{Cluster: [16]byte{1, 2, 3}, Run: cluster.RunID{Job: 7, Index: 1, Number: 2}}, Project: "p",
		VCPUs: 2, Memory: 64 * cluster.MiB, Cap: 350,
		Image:  monitor.Image{Kernel: "/images/kernel", Initrd: "/images/initrd", Cmdline: "console=ttyS0 rdinit=/init"},
		Folder: monitor.Folder{Folder: folder.Folder("/store/runs/j7/1/2")},
	}
}

func TestADomainOfXenHasItsTaskAndItsStreamsOnDisks(t *testing.T) {
	text, err := marshal(describeXen(machineXen()))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "xen.xml")
	if *update {
		if err := os.WriteFile(golden, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text+"\n"); diff != "" {
		t.Error(diff)
	}
	if f, err := factsOf(text, xen{}.platformIn); err != nil || f.platform != platformPVH || f.vcpus != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestAVMOnXenHasADiskForResultsIfItsTaskHasOutputs(t *testing.T) {
	m := machineXen()
	for _, m.Outputs = range []bool{false, true} {
		text, err := marshal(describeXen(m))
		if has := strings.Contains(text, `target dev="`+protocol.ResultDisk+`"`); err != nil || has != m.Outputs {
			t.Errorf("with outputs: %v, it has a disk for them: %v, %v", m.Outputs, has, err)
		}
	}
}

func TestAStartOnXenSaysWhatIsMissingThere(t *testing.T) {
	for want, change := range map[string]func(*monitor.Machine){
		"not one of Xen's":       func(m *monitor.Machine) { m.Platform = "kvm/pc-q35-7.2/Haswell" },
		"disk images do not run": func(m *monitor.Machine) { m.Image.Disk = "/images/disk" },
		"VMs have no network":    func(m *monitor.Machine) { m.NIC = &monitor.NIC{Bridge: "br0"} },
	} {
		m := machineXen()
		change(&m)
		if _, _, err := (xen{}).prepare(t.Context(), m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

const capabilitiesXen = `<capabilities><guest><os_type>xenpvh</os_type><arch name="x86_64"/></guest></capabilities>`

// infoXen is a part of what xl says about a host.
const infoXen = "host                   : xn1\nxen_version            : 4.17.7-pre\nxen_scheduler          : credit\n"

func TestAXenNodeOffersNoBridge(t *testing.T) {
	chosen, err := choiceXen(4_017_000, capabilitiesXen, infoXen)
	if err != nil || chosen.text != "Xen 4.17.0, PVH" {
		t.Fatalf("%+v, %v", chosen, err)
	}
	h := &Hypervisor{config: Config{Bridge: "br0", Log: zerolog.Nop()}}
	if bridged, err := h.bridged(t.Context(), chosen); bridged || err != nil || !chosen.apart {
		t.Errorf("it offers a bridge: %v, %v", bridged, err)
	}
}

func TestAXenHostThatIsSetUpOtherwiseSaysWhatToChange(t *testing.T) {
	for want, host := range map[string][2]string{
		"hardware virtualisation": {"<capabilities/>", infoXen},
		"sched=credit":            {capabilitiesXen, strings.Replace(infoXen, "credit", "credit2", 1)},
		"does not tell":           {capabilitiesXen, "host : xn1"},
	} {
		if _, err := choiceXen(4_017_000, host[0], host[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestSharesBecomePercentsAndWeightsOfXen(t *testing.T) {
	for _, c := range []struct {
		name     string
		share    share
		on       cores
		cap, wgt uint
	}{
		{"of a core", share{350, cluster.Foreground}, cores{2, 0}, 35, 1000},
		{"in the background", share{1000, cluster.Background}, cores{1, 0}, 100, 1},
		{"not a whole percent", share{336, cluster.Foreground}, cores{1, 0}, 34, 1000},
		{"under a percent", share{3, cluster.Foreground}, cores{1, 0}, 1, 1000},
		{"more than the vCPUs", share{2000, cluster.Foreground}, cores{1, 0}, 100, 1000},
		{"of a processor of twice the speed", share{500, cluster.Foreground}, cores{1, 2000}, 25, 1000},
	} {
		p := parametersXen(c.share, c.on)
		if p.Cap != c.cap || p.Weight != c.wgt || !p.CapSet || !p.WeightSet {
			t.Errorf("%s: %+v", c.name, p)
		}
		if back := shareXen(p, c.on); back.tier != c.share.tier {
			t.Errorf("%s: reads back as %+v", c.name, back)
		}
	}
	if is := shareXen(&libvirt.DomainSchedulerParameters{Weight: 256}, cores{1, 0}); is != (share{}) {
		t.Errorf("a VM of others: %+v", is)
	}
}

// savedXen returns a memory image with the description, in the form in which libvirt and libxl write it.
func savedXen(description string) []byte {
	record := func(b []byte, kind uint32, body int) []byte {
		b = binary.LittleEndian.AppendUint32(b, kind)
		b = binary.LittleEndian.AppendUint32(b, uint32(body))
		return append(b, make([]byte, (body+7)&^7)...)
	}
	b := append([]byte(imageMagic), 2, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(description)+1))
	b = append(append(b, make([]byte, 40)...), description+"\x00"...)
	b = append(append(b, libxlMagic...), make([]byte, 8)...)
	b = append(record(b, recordLibxc, 0), make([]byte, libxcHead)...)
	b = record(record(record(b, 1, 4097), 2, 8), recordEnd, 0) // pages and registers
	return record(record(b, 2, 30), recordEnd, 0)
}

func TestAnImageOfXenIsReadableOnlyIfItIsComplete(t *testing.T) {
	m, path := machineXen(), filepath.Join(t.TempDir(), "memory")
	text, err := marshal(describeXen(m))
	if err != nil {
		t.Fatal(err)
	}
	whole := savedXen(text)
	for name, c := range map[string]struct {
		content  []byte
		readable bool
	}{
		"whole":              {whole, true},
		"without its end":    {whole[:len(whole)-8], false},
		"cut in the middle":  {whole[:len(whole)-4000], false},
		"only a description": {whole[:imageHead+len(text)+1], false},
		"empty":              {nil, false},
		"of another kind":    {append([]byte("LibvirtQemudSave"), whole[16:]...), false},
		"of another VM":      {bytes.ReplaceAll(whole, []byte(m.VM.UUID()), []byte(strings.Repeat("0", 36))), false},
	} {
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := imageXen(m.VM, path)
		if c.readable && (err != nil || got != text) || !c.readable && !errors.Is(err, monitor.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// keptXen returns the description of a VM as libvirt keeps it with the VM's memory.
func keptXen(t *testing.T, m monitor.Machine) string {
	t.Helper()
	text, err := marshal(describeXen(m))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`<domain type="xen">`, `<domain type='xen' id='12'>`,
		"<vcpu>", "<currentMemory unit='KiB'>96256</currentMemory>\n  <vcpu placement='static'>",
		"</os>", "</os>\n  <clock offset='utc' adjustment='reset'/>",
		"<devices>", "<devices>\n    <emulator>/usr/lib/xen/bin/qemu-system-i386</emulator>",
		"    <console>\n", "    <controller type='xenbus' index='0'/>\n    <console type='pty' tty='/dev/pts/2'>\n"+
			"      <source path='/dev/pts/2'/>\n",
		`<target type="xen"></target>`, "<target type='xen' port='0'/>",
		"</console>\n", "</console>\n    <input type='mouse' bus='xen'/>\n    <input type='keyboard' bus='xen'/>\n"+
			"    <memballoon model='xen'/>\n", "<readonly></readonly>", "<readonly/>").Replace(text)
}

func TestAForgedImageOfXenIsRefused(t *testing.T) {
	m := machineXen()
	honest := keptXen(t, m)
	if err := mismatchXen(m, honest); err != nil {
		t.Fatalf("%v in\n%s", err, honest)
	}
	for name, change := range map[string][2]string{
		"another disk":                {linkOf(m.VM.UUID(), "xvdc"), "/dev/sda"},
		"the disks of another VM":     {m.VM.UUID() + "/xvdb", strings.Repeat("0", 36) + "/xvdb"},
		"disks in each other's place": {`target dev="xvda"`, `target dev="xvdc"`},
		"a task that can be written":  {"<readonly/>", ""},
		"a program behind a disk":     {`<driver name="phy"`, `<driver name="qemu"`},
		"another format of a disk":    {`type="raw"`, `type="qcow2"`},
		"a disk more":                 {"<controller", `<disk type="file"><source file="/etc/passwd"/></disk><controller`},
		"a device more":               {"<controller", `<interface type="bridge"><source bridge="xenbr0"/></interface><controller`},
		"a channel":                   {"<controller", `<channel type="unix"><source mode="bind" path="/x"/></channel><controller`},
		"a serial file":               {"<controller", `<serial type="file"><source path="/x"/></serial><controller`},
		"a console file":              {`<console type='pty'`, `<console type='file'`},
		"a console elsewhere":         {`<source path='/dev/pts/2'/>`, `<source path='/dev/sda'/>`},
		"another emulator":            {"/usr/lib/xen/bin/qemu-system-i386", "/tmp/qemu-system-i386"},
		"a bootloader":                {"<os>", "<bootloader>/tmp/x</bootloader><os>"},
		"another kernel":              {"/images/kernel", "/etc/shadow"},
		"another initrd":              {"/images/initrd", "/etc/shadow"},
		"another command line":        {"rdinit=/init", "rdinit=/bin/sh"},
		"a restart":                   {"<on_reboot>destroy", "<on_reboot>restart"},
		"a hook":                      {"<os>", `<x:commandline xmlns:x="http://libvirt.org/schemas/domain/xen/1.0"/><os>`},
		"more memory":                 {">96256</memory>", ">962560</memory>"},
		"more vCPUs":                  {">2</vcpu>", ">3</vcpu>"},
		"another kind":                {">xenpvh<", ">xen<"},
		"another name":                {m.VM.Name(), "other"},
		"two descriptions":            {"</domain>", "</domain><domain/>"},
		"a document's type":           {"<domain", "<!DOCTYPE domain [<!ATTLIST os x CDATA 'y'>]><domain"},
		"a comment":                   {"<os>", "<os><!-- -->"},
		"nesting":                     {"<os>", strings.Repeat("<os>", deepest) + "<os>"},
		"no elements":                 {honest, "text"},
	} {
		forged := strings.Replace(honest, change[0], change[1], 1)
		if forged == honest {
			t.Fatalf("%s: nothing was changed in %s", name, honest)
		}
		if mismatchXen(m, forged) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
