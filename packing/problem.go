package packing

import "fmt"

// A Node is the capacity of one node, in the same units as the items.
type Node struct {
	CPU   float64   // capacity in the items' unit, at least 0
	Rigid []float64 // one capacity per rigid dimension, memory first; as many on every node
	Fluid []float64 // likewise, of the fluid dimensions other than CPU: network, disk bandwidth
}

// An Item is one job: Count identical tasks that are mapped together or not at all. One task's CPU
// demand follows from a level that all items share: the item's yield there times Need, and at least
// MinCPU. The yield is the level itself, or a Line of it.
type Item struct {
	Count    int       // at least 1
	Need     float64   // CPU that one task can use
	MinCPU   float64   // smallest CPU share a task may get; one above Need counts as Need
	Tops     []float64 // by node: highest yield that a task can have there, because the node is slow; nil: 1 everywhere
	Top      float64   // highest yield that the item can have on any node; at higher levels it demands no more; 0: 1
	Line     Line      // yield as a function of the level; the zero Line is the level itself
	Rigid    []float64 // one task's requirement in each rigid dimension
	Fluid    []Demand  // its use of each fluid dimension other than CPU, by its yield; nil: nothing
	Allowed  []bool    // by node: may a task run there; nil: everywhere
	Spread   bool      // no two tasks on one node, unless they are pinned there
	Together bool      // all tasks on one node, unless they are pinned elsewhere
	Pinned   []int     // by task: the node on which it must stay; nil: all tasks may go anywhere
	Label    uint64    // breaks ties: larger means submitted later
}

// A Problem is a set of items to map to a set of nodes.
type Problem struct {
	Nodes []Node
	Items []Item
}

func (it *Item) allows(node int) bool { return it.Allowed == nil || it.Allowed[node] }

// reaches reports whether a task can have the yield on a node.
func (it *Item) reaches(node int, yield float64) bool {
	return it.Tops == nil || it.Tops[node] >= yield*(1-slop)
}

// topOn returns the highest yield that the item can have on these nodes: that of its slowest task.
func (it *Item) topOn(nodes []int) float64 {
	top := 1.0
	if it.Tops != nil {
		for _, n := range nodes {
			top = min(top, it.Tops[n])
		}
	}
	return max(top, it.floor())
}

// unit returns the number of tasks that are placed as one.
func (it *Item) unit() int {
	if it.Together && it.Pinned == nil {
		return it.Count
	}
	return 1
}

// Limits of a valid problem: sums of quantities stay finite, and tasks are counted in 32 bits.
const (
	MaxQuantity = 1e100   // of CPU, or of a rigid dimension
	MaxTasks    = 1 << 26 // of all items
)

// Validate returns an error that names the first number that is negative, not finite or out of range,
// or the first slice of the wrong length.
func (p *Problem) Validate() error {
	for n := range p.Nodes {
		if err := p.validateNode(n); err != nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	tasks := 0
	for i := range p.Items {
		if err := p.validateItem(&p.Items[i]); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
		if tasks += p.Items[i].Count; tasks > MaxTasks {
			return fmt.Errorf("item %d: with its tasks there are %d, must be at most %d", i, tasks, MaxTasks)
		}
	}
	return nil
}

func (p *Problem) validateNode(n int) error {
	node, first := &p.Nodes[n], &p.Nodes[0]
	switch {
	case len(node.Rigid) != len(first.Rigid):
		return fmt.Errorf("has %d rigid dimensions, node 0 has %d", len(node.Rigid), len(first.Rigid))
	case len(node.Fluid) != len(first.Fluid):
		return fmt.Errorf("has %d fluid dimensions beside CPU, node 0 has %d", len(node.Fluid), len(first.Fluid))
	}
	if err := quantities(node.CPU, 0, node.Rigid); err != nil {
		return err
	}
	return limits("fluid dimension", node.Fluid)
}

func (p *Problem) validateItem(it *Item) error {
	if it.Count < 1 || it.Count > MaxTasks {
		return fmt.Errorf("count is %d, must be between 1 and %d", it.Count, MaxTasks)
	}
	if it.Spread && it.Together && it.Count > 1 {
		return fmt.Errorf("its %d tasks are to be spread, and to be together", it.Count)
	}
	if len(p.Nodes) > 0 && len(it.Rigid) != len(p.Nodes[0].Rigid) {
		return fmt.Errorf("has %d rigid dimensions, the nodes have %d", len(it.Rigid), len(p.Nodes[0].Rigid))
	}
	if len(p.Nodes) > 0 && it.Fluid != nil && len(it.Fluid) != len(p.Nodes[0].Fluid) {
		return fmt.Errorf("has %d fluid dimensions beside CPU, the nodes have %d", len(it.Fluid), len(p.Nodes[0].Fluid))
	}
	if err := quantities(it.Need, it.MinCPU, it.Rigid); err != nil {
		return err
	}
	if err := it.Line.validate(); err != nil {
		return err
	}
	for d, demand := range it.Fluid {
		if err := demand.validate(); err != nil {
			return fmt.Errorf("fluid dimension %d: %w", d, err)
		}
	}
	if it.Allowed != nil && len(it.Allowed) != len(p.Nodes) {
		return fmt.Errorf("allowed lists %d nodes, must list %d", len(it.Allowed), len(p.Nodes))
	}
	if it.Tops != nil && len(it.Tops) != len(p.Nodes) {
		return fmt.Errorf("tops lists %d nodes, must list %d", len(it.Tops), len(p.Nodes))
	}
	for n, top := range it.Tops {
		if !(top > 0 && top <= 1) {
			return fmt.Errorf("top yield on node %d is %v, must be above 0 and at most 1", n, top)
		}
	}
	if !(it.Top >= 0 && it.Top <= 1) {
		return fmt.Errorf("top yield is %v, must be between 0 and 1", it.Top)
	}
	return p.validatePins(it)
}

func (p *Problem) validatePins(it *Item) error {
	if it.Pinned == nil {
		return nil
	}
	if len(it.Pinned) != it.Count {
		return fmt.Errorf("pins %d of %d tasks, must pin all or none", len(it.Pinned), it.Count)
	}
	for task, n := range it.Pinned {
		if n < 0 || n >= len(p.Nodes) {
			return fmt.Errorf("task %d is pinned to node %d of %d", task, n, len(p.Nodes))
		}
		if !it.allows(n) {
			return fmt.Errorf("task %d is pinned to node %d, where it is not allowed", task, n)
		}
	}
	return nil
}

func quantities(cpu, minCPU float64, rigid []float64) error {
	if !isQuantity(cpu) {
		return fmt.Errorf("CPU is %v, must be between 0 and 1e+100", cpu)
	}
	if !isQuantity(minCPU) {
		return fmt.Errorf("smallest CPU share is %v, must be between 0 and 1e+100", minCPU)
	}
	return limits("rigid dimension", rigid)
}

func limits(kind string, amounts []float64) error {
	for d, v := range amounts {
		if !isQuantity(v) {
			return fmt.Errorf("%s %d is %v, must be between 0 and 1e+100", kind, d, v)
		}
	}
	return nil
}

func isQuantity(v float64) bool { return v >= 0 && v <= MaxQuantity }
