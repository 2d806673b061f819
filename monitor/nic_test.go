package monitor

import (
	"testing"

	"aliquot/cluster"
)

func TestHardwareAddressesTellSegmentsApart(t *testing.T) {
	vm := VM{Cluster: [16]byte{0xab}, Run: cluster.RunID{Job: 1, Index: 3, Number: 1}}
	order := cluster.Order{Run: vm.Run, Address: 10<<24 | 77<<16 | 0x12fe, Bits: 16, Segment: 0x0304, Rate: 50}
	want := NIC{Bridge: "br0", MAC: "06:ab:03:04:13:01", Segment: "06:ab:03:04", Address: 10<<24 | 77<<16 | 0x1301,
		Bits: 16, Rate: 50}
	if got := nicOf(vm, order, "br0"); *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	if got := networkOf(vm, order); got.MAC != want.MAC {
		t.Errorf("the guest is told %s", got.MAC)
	}
	order.Segment = 0
	got := nicOf(vm, order, "br0")
	if other := nicOf(VM{vm.Cluster, cluster.RunID{Job: 2}}, order, "br0"); got.Segment != "02" || got.MAC[:3] != "02:" ||
		other.MAC == got.MAC || networkOf(vm, order).MAC != got.MAC {
		t.Errorf("without a segment: %+v, another VM: %+v", got, other)
	}
	if order.Address = 0; nicOf(vm, order, "br0") != nil || networkOf(vm, order) != nil {
		t.Error("a VM without an address has a card")
	}
}
