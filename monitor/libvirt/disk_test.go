package libvirt

import (
	"strings"
	"testing"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
)

// diskMachine is a machine that boots a disk, and its description.
func diskMachine(t *testing.T) (monitor.Machine, string) {
	t.Helper()
	run := cluster.RunID{Job: 17, Number: 1}
	m := monitor.Machine{
		VM: monitor.VM{Run: run}, VCPUs: 1, Memory: 96 * cluster.MiB, Cap: 500, Platform: "tcg/pc-q35-7.2/qemu64",
		Image: monitor.Image{Disk: "/node/images/d/disk"}, Folder: monitor.RunFolder("/store", run),
	}
	text, err := domainOf(m, platform{"tcg", "pc-q35-7.2", "qemu64"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, text
}

func wantParts(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func TestADiskNamesTheFormatOfAllThatIsBehindIt(t *testing.T) {
	_, text := diskMachine(t)
	wantParts(t, text, `error_policy="stop" rerror_policy="stop"`)
	wantParts(t, text, `<boot dev="hd">`, `type="qcow2" cache="none"`, `<source file="/store/runs/j17/0/1/disk">`,
		`<format type="qcow2"></format>`, `<source file="/node/images/d/disk">`, `<backingStore></backingStore>`,
		`<seclabel model="dac" relabel="no">`, `type="raw" cache="none"`, `<readonly></readonly>`)
	for _, part := range []string{"fw_cfg", "<kernel>"} {
		if strings.Contains(text, part) {
			t.Errorf("%s in %s", part, text)
		}
	}
}

// Otherwise the monitor would resume the VM again at once, which a full store stops again.
func TestAVMThatItsDiskStoppedIsNotResumedAgainAtOnce(t *testing.T) {
	for reason, want := range map[libvirt.DomainPausedReason]error{
		libvirt.DOMAIN_PAUSED_USER: nil, libvirt.DOMAIN_PAUSED_IOERROR: errDisk,
	} {
		if got := diskError(libvirt.DOMAIN_PAUSED, int(reason)); got != want {
			t.Errorf("paused for reason %d: %v", reason, got)
		}
	}
}

func TestAVMTakesItsDiskAlong(t *testing.T) {
	m, text := diskMachine(t)
	moved, err := Config{Images: "/node/images", Shared: "/store/images"}.destined(text, 300)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, moved, `<source file="/store/runs/j17/0/1/disk">`, `<source file="/store/images/d/disk">`)
	saved := strings.Replace(text, `<target dev="vda" bus="virtio"></target>`,
		`<target dev="vda" bus="virtio"></target><address type="pci" domain="0x0000" bus="0x04" slot="0x00" function="0x0"/>`, 1)
	back, err := restored(m, saved, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, back, `bus="0x04" slot="0x00"`, `<source file="/node/images/d/disk">`)
	m.Image = monitor.Image{Kernel: "/k"}
	if _, err := restored(m, saved, 0, nil); err == nil {
		t.Error("a VM without a disk was restored with one")
	}
}

func TestTheUserOfVMsIsReadFromLibvirt(t *testing.T) {
	for model, want := range map[string]user{
		`<model>dac</model><baselabel type="kvm">+64055:+109</baselabel>`: {64055, 109, true},
		`<model>dac</model><baselabel type="kvm">+0:+0</baselabel>`:       {0, 0, true},
		`<model>none</model>`: {},
	} {
		text := "<capabilities><host><secmodel>" + model + "</secmodel></host></capabilities>"
		if got, err := userOf(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
