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
	// Segment is how the hardware addresses of its segment begin: it reaches VMs there, the router, and what is outside
	// the subnet. VMs of jobs without a segment have one together.
	Segment string
}

// macOf returns the hardware address of the order's VM, which it keeps when it moves. No manufacturer has it.
func macOf(vm VM, o cluster.Order) string {
	if o.Segment != 0 {
		a := o.Address + cluster.Address(o.Run.Index) // its last two bytes differ within a subnet
		return fmt.Sprintf("%s:%02x:%02x", segmentOf(vm, o), byte(a>>8), byte(a))
	}
	id := uuid.MustParse(vm.UUID())
	return fmt.Sprintf("%s:%02x:%02x:%02x:%02x:%02x", segmentOf(vm, o), id[11], id[12], id[13], id[14], id[15])
}

// segmentOf returns how the hardware addresses of the order's segment begin. A byte of the cluster's identity tells
// clusters on one bridge apart, most of the time.
func segmentOf(vm VM, o cluster.Order) string {
	if o.Segment == 0 {
		return "02"
	}
	return fmt.Sprintf("06:%02x:%02x:%02x", vm.Cluster[0], byte(o.Segment>>8), byte(o.Segment))
}

// nicOf returns the network card that the order asks for, or nil.
func nicOf(vm VM, o cluster.Order, bridge string) *NIC {
	if o.Address == 0 {
		return nil
	}
	return &NIC{Bridge: bridge, MAC: macOf(vm, o), Address: o.Address + cluster.Address(o.Run.Index), Bits: o.Bits,
		Rate: o.Rate, Segment: segmentOf(vm, o)}
}

// networkOf returns what the guest is told of its network, or nil.
func networkOf(vm VM, o cluster.Order) *protocol.Network {
	if o.Address == 0 {
		return nil
	}
	return &protocol.Network{MAC: macOf(vm, o), First: o.Address.String(), Bits: o.Bits}
}
