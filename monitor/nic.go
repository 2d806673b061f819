package monitor

import (
	"fmt"

	"github.com/google/uuid"

	"aliquot/cluster"
	"aliquot/guest/protocol"
)

// NIC is the network card of a VM.
type NIC struct {
	Bridge  string // of the node; peers have one of the same name
	MAC     string
	Address cluster.Address // the only one from which the VM may send
	Bits    int             // length of the prefix of its subnet
	Rate    int             // the most that it sends, and the most that it gets, in Mbit/s; 0: no limit
	// Segment is the hardware address of its segment, of which four bytes count: it reaches VMs there, the router, and
	// what is outside the subnet. "": it reaches all.
	Segment string
}

// macOf returns the hardware address of the order's VM, which it keeps when it moves. No manufacturer has it.
func macOf(vm VM, o cluster.Order) string {
	if o.Segment != 0 {
		return macIn(vm.Cluster, o.Segment, o.Address+cluster.Address(o.Run.Index))
	}
	id := uuid.MustParse(vm.UUID())
	return fmt.Sprintf("02:%02x:%02x:%02x:%02x:%02x", id[11], id[12], id[13], id[14], id[15])
}

// macIn returns the hardware address of a VM in the segment: the last two bytes of IPv4 addresses differ within a
// subnet. That of the segment itself ends in zeros. A byte of the cluster's identity tells clusters on one bridge
// apart, most of the time.
func macIn(of [16]byte, s cluster.Segment, a cluster.Address) string {
	return fmt.Sprintf("06:%02x:%02x:%02x:%02x:%02x", of[0], byte(s>>8), byte(s), byte(a>>8), byte(a))
}

// nicOf returns the network card that the order asks for, or nil.
func nicOf(vm VM, o cluster.Order, bridge string) *NIC {
	if o.Address == 0 {
		return nil
	}
	n := &NIC{Bridge: bridge, MAC: macOf(vm, o), Address: o.Address + cluster.Address(o.Run.Index), Bits: o.Bits,
		Rate: o.Rate}
	if o.Segment != 0 {
		n.Segment = macIn(vm.Cluster, o.Segment, 0)
	}
	return n
}

// networkOf returns what the guest is told of its network, or nil.
func networkOf(vm VM, o cluster.Order) *protocol.Network {
	if o.Address == 0 {
		return nil
	}
	return &protocol.Network{MAC: macOf(vm, o), First: o.Address.String(), Bits: o.Bits}
}
