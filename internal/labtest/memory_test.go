package labtest

import (
	"context"
	"fmt"

	"aliquot/cluster"
)

// watchMemory asserts until the test ends that no node's memory is exceeded, neither by the cluster's accounting nor
// by the VMs on the machine.
func (s *scene) watchMemory() { s.watch(s.memoryExceeded) }

func (s *scene) memoryExceeded(ctx context.Context) error {
	for node, guests := range s.guests() {
		var taken cluster.Bytes
		for _, g := range guests {
			taken += g.memory + emulator
		}
		if p := s.placeOf(node); taken > p.memory {
			return fmt.Errorf("the VMs on %s take %v of %v: %v", node, taken, p.memory, guests)
		}
	}
	nodes, err := s.api.Nodes(ctx)
	if err != nil {
		return nil // some tests end the manager
	}
	for _, n := range nodes {
		// Memory of strays is not offered until they are gone, but placements were made before they were there.
		if offer := n.MemoryBytes + n.StrayMemoryBytes; n.MemoryReservedBytes > offer {
			return fmt.Errorf("%s has %d bytes reserved of %d", n.Name, n.MemoryReservedBytes, offer)
		}
	}
	return nil
}

// emulator is the memory that a node charges for a VM beyond the VM's own.
const emulator = 56 * cluster.MiB
