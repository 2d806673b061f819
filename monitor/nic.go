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
}

// MAC returns the hardware address of the run's VM, which it keeps when it moves: 5 bytes of its UUID, as an address
// that no manufacturer has.
func (vm VM) MAC() string {
	id := uuid.MustParse(vm.UUID())
	return fmt.Sprintf("02:%02x:%02x:%02x:%02x:%02x", id[11], id[12], id[13], id[14], id[15])
}

// nicOf returns the network card that the order asks for, or nil.
func nicOf(vm VM, o cluster.Order, bridge string) *NIC {
	if o.Address == 0 {
		return nil
	}
	return &NIC{bridge, vm.MAC(), o.Address + cluster.Address(o.Run.Index)}
}

// networkOf returns what the guest is told of its network, or nil.
func networkOf(vm VM, o cluster.Order) *protocol.Network {
	if o.Address == 0 {
		return nil
	}
	return &protocol.Network{MAC: vm.MAC(), First: o.Address.String(), Bits: o.Bits}
}
