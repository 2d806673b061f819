package libvirt

import (
	"errors"
	"strings"
	"testing"

	"libvirt.org/go/libvirtxml"

	"aliquot/monitor"
)

const ownMAC = "02:11:22:33:44:55"

// onBridge is a VM with a network, and the description that libvirt keeps with its memory image.
func onBridge(t *testing.T) (monitor.Machine, string) {
	t.Helper()
	m, _ := paused(t)
	m.NIC = &monitor.NIC{Bridge: "br0", MAC: ownMAC, Address: 10<<24 | 77<<16 | 2, Bits: 24,
		Segment: "02"}
	text, err := domainOf(m, platform{"kvm", "pc-q35-7.2", "Haswell"}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, text
}

func TestAVMSendsFromItsOwnAddressOnly(t *testing.T) {
	_, text := onBridge(t)
	wantParts(t, text, `<source bridge="br0">`, `<mac address="`+ownMAC+`">`, `<model type="virtio">`,
		`<filterref filter="aliquot-segment">`, `name="IP" value="10.77.0.2"`, `name="SEGMENT" value="02:00:00:00:00:00"`,
		`name="MASK" value="ff:00:00:00:00:00"`)
	if strings.Contains(text, "bandwidth") {
		t.Errorf("it has a limit: %s", text)
	}
}

func TestAForgedImageChangesNothingOfItsVMsNetwork(t *testing.T) {
	m, text := onBridge(t)
	forged := strings.NewReplacer(`bridge="br0"`, `bridge="evil"`, ownMAC, "02:00:00:00:00:01", "aliquot-segment", "none",
		"10.77.0.2", "10.77.0.9", `<model type="virtio"></model>`,
		`<model type="virtio"/><address type="pci" domain="0x0000" bus="0x03" slot="0x00" function="0x0"/>`).Replace(text)
	back, err := restored(m, forged, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantParts(t, back, `bridge="br0"`, ownMAC, `filter="aliquot-segment"`, "10.77.0.2", `bus="0x03" slot="0x00"`)
	m.NIC.Segment, m.NIC.Rate = "06:01:00:11", 8
	if back, err = restored(m, forged, 0, nil); err != nil {
		t.Fatal(err)
	}
	wantParts(t, back, `name="SEGMENT" value="06:01:00:11:00:00"`, `name="MASK" value="ff:ff:ff:ff:00:00"`,
		`name="SUBNET" value="10.77.0.0"`, `name="ROUTER" value="10.77.0.1"`, `<outbound average="1000" burst="128">`)
	m.NIC = nil
	if _, err := restored(m, text, 0, nil); !errors.Is(err, monitor.ErrUnreadable) {
		t.Errorf("a VM without a network was restored with one: %v", err)
	}
}

func TestALimitIsGivenInLibvirtsUnitsAndLetsALargePacketThrough(t *testing.T) {
	if bandwidthOf(0) != nil {
		t.Error("no limit is one")
	}
	for rate, want := range map[int][2]int{1: {125, 128}, 100: {12_500, 1_220}, 100_000: {12_500_000, 1_220_703}} {
		b := bandwidthOf(rate)
		for _, way := range []*libvirtxml.DomainInterfaceBandwidthParams{b.Inbound, b.Outbound} {
			if got := [2]int{*way.Average, *way.Burst}; got != want {
				t.Errorf("%d Mbit/s are %v kB/s and KiB, want %v", rate, got, want)
			}
		}
	}
}

func TestOurFiltersAreWellFormed(t *testing.T) {
	for want, text := range map[string]string{"aliquot-card": cardFilter, "aliquot-segment-ipv4": segmentIPv4,
		"aliquot-segment-arp": segmentARP, guard: segment} {
		var f libvirtxml.NWFilter
		if err := f.Unmarshal(text); err != nil || f.Name != want || f.UUID == "" {
			t.Errorf("%s: %+v, %v", want, f, err)
		}
	}
}
