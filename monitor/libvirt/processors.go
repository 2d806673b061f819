package libvirt

import (
	"context"
	"fmt"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"
)

// processors counts the CPUs of a node; zero if libvirt does not tell them.
type processors struct {
	cores   int
	threads int // CPUs that share a core, at most
	cells   int // of NUMA
}

func (p processors) String() string {
	if p == (processors{}) {
		return "processors unknown"
	}
	return fmt.Sprintf("cores %d, threads per core %d, NUMA cells %d", p.cores, p.threads, p.cells)
}

// processorsOf reads the processors from the node's capabilities. CPUs of one core name the same siblings.
func processorsOf(capabilities string) (p processors, err error) {
	var caps libvirtxml.Caps
	if err := caps.Unmarshal(capabilities); err != nil {
		return p, fmt.Errorf("read capabilities: %w", err)
	}
	if caps.Host.NUMA == nil || caps.Host.NUMA.Cells == nil {
		return p, nil
	}
	cores := map[string]int{}
	for _, cell := range caps.Host.NUMA.Cells.Cells {
		if cell.CPUS == nil || len(cell.CPUS.CPUs) == 0 { // of memory alone
			continue
		}
		p.cells++
		for _, cpu := range cell.CPUS.CPUs {
			cores[cpu.Siblings]++
			p.threads = max(p.threads, cores[cpu.Siblings])
		}
	}
	p.cores = len(cores)
	return p, nil
}

func (h *Hypervisor) processorsHere(ctx context.Context) (p processors, err error) {
	err = h.on(ctx, func(c *libvirt.Connect) error {
		text, err := c.GetCapabilities()
		if err == nil {
			p, err = processorsOf(text)
		}
		return err
	})
	return p, err
}
