package packing

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// A family is a way to make instances by seed: nodes of 100,000 CPU and as much memory.
type family struct {
	nodes, tasks, perJob int
	memory, need         float64 // of all tasks, as fractions of all nodes
	discrete             bool    // memory and need as in section 5.3.2 of the report; tasks as memory allows
	pinned               int     // one item in so many stays where another search has put it; 0: none
}

const unit = 100_000

func (f family) String() string {
	kind := "uniform"
	if f.discrete {
		kind = "discrete"
	}
	name := fmt.Sprintf("%dx%d/%s/by%d/memory=%.0f%%", f.nodes, f.tasks, kind, f.perJob, 100*f.memory)
	if !f.discrete {
		name += fmt.Sprintf("/need=%.0f%%", 100*f.need)
	}
	if f.pinned > 0 {
		name += fmt.Sprintf("/pinned=%d", f.pinned)
	}
	return name
}

// instance draws the jobs, of which any may have the lowest priority.
func (f family) instance(seed uint64) (*Problem, []int) {
	r := rand.New(rand.NewPCG(seed, uint64(f.nodes)))
	p := &Problem{}
	for range f.nodes {
		p.Nodes = append(p.Nodes, Node{CPU: unit, Rigid: []float64{unit}})
	}
	tasks, memory := 0, 0.0
	for f.discrete && memory < f.memory*float64(f.nodes) || !f.discrete && tasks < f.tasks {
		it := f.item(r)
		it.Label = uint64(len(p.Items))
		p.Items = append(p.Items, it)
		tasks += it.Count
		memory += float64(it.Count) * it.Rigid[0] / unit
	}
	order := r.Perm(len(p.Items))
	if f.pinned > 0 {
		m := Search(p, order).Mapping
		for i := 0; i < len(m); i += f.pinned {
			p.Items[i].Pinned = m[i]
		}
	}
	return p, order
}

func (f family) item(r *rand.Rand) Item {
	it := Item{Count: f.perJob, MinCPU: 10}
	if f.discrete {
		it.Need, it.Rigid = unit, []float64{unit / 10}
		if f.perJob == 1 {
			it.Need = unit / 4
		}
		if r.IntN(100) >= 55 {
			it.Rigid[0] *= float64(2 + r.IntN(9))
		}
		return it
	}
	perTask := 2 * unit * float64(f.nodes) / float64(f.tasks)
	draw := func(total float64) float64 { return min(unit, float64(1+int(perTask*total*r.Float64()))) }
	it.Need, it.Rigid = draw(f.need), []float64{draw(f.memory)}
	return it
}

// families are those that docs/performance.md speaks of; busy is a typical instant of the simulator.
var (
	busy     = family{nodes: 120, tasks: 250, perJob: 5, memory: 0.4, need: 3}
	families = []family{
		busy,
		{nodes: 120, tasks: 250, perJob: 5, memory: 0.4, need: 3, pinned: 3},
		{nodes: 120, perJob: 5, memory: 0.6, discrete: true},
		{nodes: 128, tasks: 100, perJob: 1, memory: 0.4, need: 1},
		{nodes: 128, tasks: 500, perJob: 5, memory: 0.7, need: 2},
		{nodes: 128, tasks: 500, perJob: 5, memory: 0.9, need: 6},
		{nodes: 1000, tasks: 10_000, perJob: 1, memory: 0.7, need: 2},
		{nodes: 1000, tasks: 10_000, perJob: 5, memory: 0.7, need: 2},
		{nodes: 1000, tasks: 10_000, perJob: 1, memory: 0.9, need: 6},
		{nodes: 1000, tasks: 10_000, perJob: 1, memory: 0.4, need: 1},
		{nodes: 1000, tasks: 10_000, perJob: 1, memory: 1.1, need: 2},
		{nodes: 1000, perJob: 1, memory: 0.7, discrete: true},
		{nodes: 10_000, tasks: 100_000, perJob: 1, memory: 0.7, need: 2},
		{nodes: 10_000, tasks: 100_000, perJob: 5, memory: 0.7, need: 2},
		{nodes: 100_000, tasks: 1_000_000, perJob: 1, memory: 0.7, need: 2},
	}
)

func BenchmarkSearch(b *testing.B) {
	for _, f := range families {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.instance(1)
			b.ReportAllocs()
			var r Result
			started := cpuTime(b)
			for b.Loop() {
				r = Search(p, order)
			}
			b.ReportMetric(float64(cpuTime(b)-started)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(r.Probes), "probes/op")
			b.ReportMetric(float64(len(r.Dropped)), "dropped/op")
			b.ReportMetric(r.Yield, "yield")
		})
	}
}

func BenchmarkMaxMin(b *testing.B) {
	for _, f := range []family{
		busy,
		{nodes: 10_000, tasks: 100_000, perJob: 1, memory: 0.7, need: 2},
		{nodes: 10_000, tasks: 100_000, perJob: 5, memory: 0.7, need: 2},
	} {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.instance(1)
			m := Search(p, order).Mapping
			b.ReportAllocs()
			started := cpuTime(b)
			for b.Loop() {
				MaxMin(p, m)
			}
			b.ReportMetric(float64(cpuTime(b)-started)/float64(b.N), "cpu-ns/op")
		})
	}
}

func BenchmarkAverage(b *testing.B) {
	for _, f := range []family{busy, {nodes: 1000, tasks: 10_000, perJob: 5, memory: 0.7, need: 2}} {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.instance(1)
			m := Search(p, order).Mapping
			level := 1 / max(1, p.Load(m))
			b.ReportAllocs()
			started := cpuTime(b)
			for b.Loop() {
				if _, err := Average(p, m, level, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-started)/float64(b.N), "cpu-ns/op")
		})
	}
}

// cpuTime is what this process has used so far: unlike the clock it does not count waiting for a
// processor on a busy machine.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
