package libvirt

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"
)

// processors are the CPUs of a node; none if libvirt does not tell them.
type processors struct {
	cores [][]int // CPUs of each core, by the first of them
	cells int     // of NUMA
}

func (p processors) String() string {
	if len(p.cores) == 0 {
		return "processors unknown"
	}
	threads := 0
	for _, cpus := range p.cores {
		threads = max(threads, len(cpus))
	}
	return fmt.Sprintf("cores %d, threads per core %d, NUMA cells %d", len(p.cores), threads, p.cells)
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
	cores := map[string][]int{}
	for _, cell := range caps.Host.NUMA.Cells.Cells {
		if cell.CPUS == nil || len(cell.CPUS.CPUs) == 0 { // of memory alone
			continue
		}
		p.cells++
		for _, cpu := range cell.CPUS.CPUs {
			cores[cpu.Siblings] = append(cores[cpu.Siblings], cpu.ID)
		}
	}
	for _, cpus := range cores {
		slices.Sort(cpus)
		p.cores = append(p.cores, cpus)
	}
	slices.SortFunc(p.cores, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return p, nil
}

// Ways to bind VMs to processors.
const (
	BindCores   = "cores"   // to all threads of a core
	BindThreads = "threads" // to a thread, which counts as a core
	BindNone    = "none"    // to none
)

// bound returns the CPUs of each processor that VMs can be bound to. CPUs that the node does not use are left out.
func (p processors) bound(how string, uses func(cpu int) bool) (groups [][]int) {
	for _, cpus := range p.cores {
		cpus = slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return !uses(cpu) })
		switch {
		case how == BindNone || len(cpus) == 0:
		case how == BindThreads:
			groups = slices.AppendSeq(groups, slices.Chunk(cpus, 1))
		default:
			groups = append(groups, cpus)
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return groups
}

func (h qemu) processorsHere(ctx context.Context) (p processors, err error) {
	err = h.on(ctx, func(c *libvirt.Connect) error {
		text, err := c.GetCapabilities()
		if err == nil {
			p, err = processorsOf(text)
		}
		return err
	})
	return p, err
}

// ownCPUs returns whether this process may use a CPU.
func ownCPUs() (func(cpu int) bool, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("read the CPUs of this process: %w", err)
	}
	return set.IsSet, nil
}
