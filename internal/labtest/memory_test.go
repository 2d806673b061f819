package labtest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aliquot/cluster"
)

// watchMemory asserts until the test ends that no node's memory is exceeded, neither as
// the cluster accounts for it nor by the VMs that the machine shows.
func (s *scene) watchMemory() {
	ctx, cancel := context.WithCancel(s.ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if err := s.memoryExceeded(ctx); err != nil {
				s.t.Error(err)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(tick):
			}
		}
	})
	s.t.Cleanup(func() {
		cancel()
		done.Wait()
	})
}

func (s *scene) memoryExceeded(ctx context.Context) error {
	for node, guests := range s.guests() {
		var taken cluster.Bytes
		for _, g := range guests {
			taken += g.memory + overhead
		}
		if p := placeOf(node); taken > p.memory {
			return fmt.Errorf("the VMs on %s take %v of %v: %v", node, taken, p.memory, guests)
		}
	}
	nodes, err := s.api.Nodes(ctx)
	if err != nil {
		return nil // the manager may be down: some tests end it
	}
	for _, n := range nodes {
		if n.MemoryReservedBytes > n.MemoryBytes {
			return fmt.Errorf("%s has %d bytes reserved of %d", n.Name, n.MemoryReservedBytes, n.MemoryBytes)
		}
	}
	return nil
}

// overhead is what a node charges for a VM on top of its memory.
const overhead = 64 * cluster.MiB
