package instance

import (
	"fmt"
	"math/rand/v2"

	"aliquot/packing"
)

// Unit is the CPU and the memory of a node in a Family's problems.
const Unit = 100_000

// A Family describes instances to be drawn by seed: nodes that are alike, and jobs drawn independently
// of each other, scaled to the totals of the family.
type Family struct {
	Nodes    int
	Tasks    int     // of all jobs; ignored if discrete
	PerJob   int     // tasks of a job, at least 1
	Memory   float64 // of all tasks, as a fraction of that of all nodes
	Need     float64 // CPU need of all tasks, likewise; ignored if discrete
	Discrete bool    // memory and need as in the report, section 5.3.2; tasks until the memory is reached
	Pinned   int     // one job in Pinned stays where a search has put it; 0: none
}

// String formats the family's name for benchmarks and tables:
// "1000x10000/uniform/by1/memory=70%/need=200%".
func (f Family) String() string {
	name := fmt.Sprintf("%d/discrete/by%d/memory=%.0f%%", f.Nodes, f.PerJob, 100*f.Memory)
	if !f.Discrete {
		name = fmt.Sprintf("%dx%d/uniform/by%d/memory=%.0f%%/need=%.0f%%", f.Nodes, f.Tasks, f.PerJob,
			100*f.Memory, 100*f.Need)
	}
	if f.Pinned > 0 {
		name += fmt.Sprintf("/pinned=%d", f.Pinned)
	}
	return name
}

// Draw returns the instance of a seed, and an order of priorities in which any job may be the last. It
// panics if the tasks, none of which may be larger than a node, are too few for the family's totals.
func (f Family) Draw(seed uint64) (p *packing.Problem, order []int) {
	r := rand.New(rand.NewPCG(seed, uint64(f.Nodes)))
	p = &packing.Problem{}
	for range f.Nodes {
		p.Nodes = append(p.Nodes, packing.Node{CPU: Unit, Rigid: []float64{Unit}})
	}
	if f.Discrete {
		p.Items = f.discrete(r)
	} else {
		p.Items = f.uniform(r)
	}
	for i := range p.Items {
		it := &p.Items[i]
		it.Count, it.MinCPU, it.Label = f.PerJob, 10, uint64(i)
	}
	order = r.Perm(len(p.Items))
	if f.Pinned > 0 {
		m := packing.Search(p, order).Mapping
		for i := 0; i < len(m); i += f.Pinned {
			p.Items[i].Pinned = m[i]
		}
	}
	return p, order
}

// uniform draws jobs with sizes distributed uniformly up to twice the mean.
func (f Family) uniform(r *rand.Rand) []packing.Item {
	items := make([]packing.Item, f.Tasks/f.PerJob)
	needs, memories := make([]float64, len(items)), make([]float64, len(items))
	tasks := float64(len(items) * f.PerJob)
	for i := range items {
		needs[i] = likely(r, f.Need*float64(f.Nodes)/tasks)
		memories[i] = likely(r, f.Memory*float64(f.Nodes)/tasks)
	}
	f.meet(needs, f.Need)
	f.meet(memories, f.Memory)
	for i := range items {
		items[i].Need, items[i].Rigid = needs[i], []float64{memories[i]}
	}
	return items
}

// likely draws a size with a mean, both as parts of a node: between nothing and twice the mean, or, if
// that exceeds a node, symmetrically around the mean up to a node.
func likely(r *rand.Rand, mean float64) float64 {
	most := min(1, 2*mean)
	return 2*mean - most + 2*(most-mean)*r.Float64()
}

// meet scales sizes so that those of all tasks add up to a part of all nodes and none exceeds a node.
// Then it rounds them to whole numbers of at least 1.
func (f Family) meet(sizes []float64, part float64) {
	target := part * float64(f.Nodes) / float64(f.PerJob)
	if target > float64(len(sizes)) {
		panic(fmt.Sprintf("instance: %d jobs of tasks that fit on a node cannot come to %v of %v", len(sizes), target, f))
	}
	for range 10 { // the others compensate for sizes that were cut down to a node
		full, rest := 0.0, 0.0
		for _, x := range sizes {
			if x >= 1 {
				full++
			} else {
				rest += x
			}
		}
		for i, x := range sizes {
			if x < 1 {
				sizes[i] = min(1, x*(target-full)/rest)
			}
		}
	}
	for i, x := range sizes {
		sizes[i] = max(1, float64(int(Unit*x)))
	}
}

// discrete draws jobs as the report does, until the memory is reached: a task takes a tenth of a
// node's memory in 55 of 100 jobs, two to ten tenths in the others; the last job takes the rest.
// Single tasks need a quarter of a node's CPU, others all of it.
func (f Family) discrete(r *rand.Rand) (items []packing.Item) {
	need := float64(Unit)
	if f.PerJob == 1 {
		need = Unit / 4
	}
	for left := int(10*f.Memory*float64(f.Nodes) + 0.5); left >= f.PerJob; {
		tenths := 1
		if r.IntN(100) >= 55 {
			tenths = 2 + r.IntN(9)
		}
		tenths = min(tenths, left/f.PerJob)
		left -= tenths * f.PerJob
		items = append(items, packing.Item{Need: need, Rigid: []float64{float64(tenths) * Unit / 10}})
	}
	return items
}

// Sums returns the totals of a problem's needs and memory, as fractions of all nodes.
func Sums(p *packing.Problem) (need, memory float64) {
	for i := range p.Items {
		need += float64(p.Items[i].Count) * p.Items[i].Need
		memory += float64(p.Items[i].Count) * p.Items[i].Rigid[0]
	}
	all := Unit * float64(len(p.Nodes))
	return need / all, memory / all
}
