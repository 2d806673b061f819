package instance

import (
	"fmt"
	"math/rand/v2"

	"aliquot/packing"
)

// Unit is the CPU, and the memory, of a node in what a Family draws.
const Unit = 100_000

// A Family is a way to make instances by seed: nodes that are alike, and jobs drawn independently of each other.
type Family struct {
	Nodes    int
	Tasks    int     // of all jobs; of no account where they are discrete
	PerJob   int     // tasks of a job, at least 1
	Memory   float64 // of all tasks, as a fraction of that of all nodes
	Need     float64 // CPU that all tasks need, likewise; of no account where they are discrete
	Discrete bool    // memory and need as in the report, section 5.3.2; tasks until the memory is reached
	Pinned   int     // one job in so many stays where a search has put it; 0: none
}

// String names the family as benchmarks and tables do: "1000x10000/uniform/by1/memory=70%/need=200%".
func (f Family) String() string {
	name := fmt.Sprintf("%d/discrete/by%d/memory=%.0f%%", f.Nodes, f.PerJob, 100*f.Memory)
	if !f.Discrete {
		name = fmt.Sprintf("%dx%d/uniform/by%d/memory=%.0f%%/need=%.0f%%", f.Nodes, f.Tasks, f.PerJob, 100*f.Memory, 100*f.Need)
	}
	if f.Pinned > 0 {
		name += fmt.Sprintf("/pinned=%d", f.Pinned)
	}
	return name
}

// Draw makes the instance of a seed, and an order of priorities in which any job may be the last.
func (f Family) Draw(seed uint64) (p *packing.Problem, order []int) {
	r := rand.New(rand.NewPCG(seed, uint64(f.Nodes)))
	p = &packing.Problem{}
	for range f.Nodes {
		p.Nodes = append(p.Nodes, packing.Node{CPU: Unit, Rigid: []float64{Unit}})
	}
	for tasks, memory := 0, 0.0; f.Discrete && memory < f.Memory*float64(f.Nodes) || !f.Discrete && tasks < f.Tasks; {
		it := f.item(r)
		it.Label = uint64(len(p.Items))
		p.Items = append(p.Items, it)
		tasks += it.Count
		memory += float64(it.Count) * it.Rigid[0] / Unit
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

func (f Family) item(r *rand.Rand) packing.Item {
	it := packing.Item{Count: f.PerJob, MinCPU: 10}
	if f.Discrete {
		it.Need, it.Rigid = f.discrete(r)
		return it
	}
	perTask := 2 * Unit * float64(f.Nodes) / float64(f.Tasks)
	draw := func(total float64) float64 { return min(Unit, float64(1+int(perTask*total*r.Float64()))) }
	it.Need, it.Rigid = draw(f.Need), []float64{draw(f.Memory)}
	return it
}

// discrete draws a task as the report does: a tenth of the memory for 55 of 100 jobs, two to ten tenths for the
// others; single tasks need a quarter of a node's CPU, others all of it.
func (f Family) discrete(r *rand.Rand) (need float64, rigid []float64) {
	need, tenths := Unit, 1
	if f.PerJob == 1 {
		need = Unit / 4
	}
	if r.IntN(100) >= 55 {
		tenths = 2 + r.IntN(9)
	}
	return need, []float64{float64(tenths) * Unit / 10}
}
