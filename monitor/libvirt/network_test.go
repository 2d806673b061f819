package libvirt

import (
	"errors"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/monitor"
)

// onBridge is a VM with a network, and the description that libvirt keeps with its memory image.
func onBridge(t *testing.T) (monitor.Machine, string) {
	t.Helper()
	m, _ := paused(t)
	m.NIC = &monitor.NIC{Bridge: "br0", MAC: m.VM.MAC(), Address: 10<<24 | 77<<16 | 2}
	text, err := domainOf(m, platform{"kvm", "pc-q35-7.2", "Haswell"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, text
}

func TestAVMSendsFromItsOwnAddressOnly(t *testing.T) {
	m, text := onBridge(t)
	wantParts(t, text, `<source bridge="br0">`, `<mac address="`+m.VM.MAC()+`">`, `<model type="virtio">`,
		`<filterref filter="clean-traffic">`, `<parameter name="IP" value="10.77.0.2">`)
	if !strings.HasPrefix(m.VM.MAC(), "02:") || (monitor.VM{Run: cluster.RunID{Job: 1}}).MAC() == m.VM.MAC() {
		t.Errorf("hardware address %s", m.VM.MAC())
	}
}

func TestAForgedImageChangesNothingOfItsVMsNetwork(t *testing.T) {
	m, text := onBridge(t)
	forged := strings.NewReplacer(`bridge="br0"`, `bridge="evil"`, m.VM.MAC(), "02:00:00:00:00:01", "clean-traffic", "none",
		"10.77.0.2", "10.77.0.9", `<model type="virtio"></model>`,
		`<model type="virtio"/><address type="pci" domain="0x0000" bus="0x03" slot="0x00" function="0x0"/>`).Replace(text)
	back, err := restored(m, forged, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, back, `bridge="br0"`, m.VM.MAC(), "clean-traffic", "10.77.0.2", `bus="0x03" slot="0x00"`)
	m.NIC = nil
	if _, err := restored(m, text, 0, nil); !errors.Is(err, monitor.ErrUnreadable) {
		t.Errorf("a VM without a network was restored with one: %v", err)
	}
}
