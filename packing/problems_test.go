package packing

import (
	"math/rand/v2"

	"pgregory.net/rapid"
)

// anyNodes draws a problem of either kind: the published one has equal nodes, CPU and memory only.
func anyNodes(t *rapid.T) *Problem { return draw(t, rapid.Bool().Draw(t, "different")) }

// differentNodes draws a problem with unlike nodes, up to two rigid dimensions and as many fluid ones
// other than CPU. Items may be restricted to some nodes, or their tasks spread or together.
func differentNodes(t *rapid.T) *Problem {
	return draw(t, true)
}

func draw(t *rapid.T, different bool) *Problem {
	p := &Problem{}
	dims, flows := 1, 0
	if different {
		dims = rapid.IntRange(0, 2).Draw(t, "dimensions")
		flows = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "fluid dimensions")
	}
	nodes := rapid.IntRange(1, 6).Draw(t, "nodes")
	node := Node{CPU: 1000 * float64(rapid.IntRange(1, 4).Draw(t, "CPU")),
		Rigid: []float64{10 * float64(rapid.IntRange(1, 20).Draw(t, "memory"))}}
	for range nodes {
		if different {
			node = drawNode(t, dims, flows)
		}
		p.Nodes = append(p.Nodes, node)
	}
	for i := range rapid.IntRange(0, 10).Draw(t, "items") {
		it := drawItem(t, dims, flows)
		it.Label = uint64(i)
		if !different {
			it.Label /= 2 // some labels are equal, so the index decides
		}
		switch wish := rapid.IntRange(0, 7).Draw(t, "wish"); {
		case !different:
		case wish < 2:
			it.Spread = true
		case wish == 2:
			it.Together = true
		}
		if different && rapid.Bool().Draw(t, "choosy") {
			it.Allowed = rapid.SliceOfN(rapid.Bool(), nodes, nodes).Draw(t, "allowed")
		}
		p.Items = append(p.Items, it)
	}
	drawPins(t, p, different)
	return p
}

func drawNode(t *rapid.T, dims, flows int) Node {
	return Node{
		CPU:   1000 * float64(rapid.IntRange(0, 4).Draw(t, "CPU")),
		Rigid: tens(t, dims, 20, "capacity"),
		Fluid: tens(t, flows, 20, "flow"),
	}
}

func drawItem(t *rapid.T, dims, flows int) Item {
	need := 250 * rapid.IntRange(0, 8).Draw(t, "need")
	return Item{
		Count:  rapid.IntRange(1, 4).Draw(t, "count"),
		Need:   float64(need),
		MinCPU: float64(rapid.SampledFrom([]int{0, 0, 10, need / 2, need, 5}).Draw(t, "minCPU")),
		Line:   drawLine(t),
		Rigid:  tens(t, dims, 8, "require"),
		Fluid:  drawDemands(t, flows),
	}
}

// drawDemands draws demands that are whole numbers at yields of quarters.
func drawDemands(t *rapid.T, flows int) (demands []Demand) {
	if rapid.IntRange(0, 2).Draw(t, "flows") == 0 {
		return nil
	}
	amount := func(label string, least, most int) float64 {
		return 16 * float64(rapid.IntRange(least, most).Draw(t, label))
	}
	for range flows {
		demands = append(demands, Demand{
			Slope: amount("flow slope", 0, 6), Base: amount("flow base", -2, 2), Least: amount("least flow", 0, 1),
			Most: amount("most flow", 0, 5),
		})
	}
	return demands
}

// drawLine draws quarters, so that sums of demands stay exact.
func drawLine(t *rapid.T) Line {
	if rapid.IntRange(0, 2).Draw(t, "line") > 0 {
		return Line{}
	}
	return Line{
		Slope: float64(rapid.IntRange(0, 8).Draw(t, "slope")) / 4,
		Base:  float64(rapid.IntRange(-4, 4).Draw(t, "base")) / 4,
		Idle:  float64(rapid.SampledFrom([]int{0, 40}).Draw(t, "idle")),
	}
}

func tens(t *rapid.T, dims, most int, label string) []float64 {
	v := make([]float64, dims)
	for d := range v {
		v[d] = 10 * float64(rapid.IntRange(0, most).Draw(t, label))
	}
	return v
}

// drawPins pins some items to nodes on which they fit together at the lowest yield, as running tasks
// do. If crowded, it sometimes ignores room.
func drawPins(t *rapid.T, p *Problem, crowded bool) {
	free := p.capacities(vectors{})
	for i := range p.Items {
		it := &p.Items[i]
		if !rapid.Bool().Draw(t, "pinned") {
			continue
		}
		nodes := rapid.SliceOfN(rapid.IntRange(0, len(p.Nodes)-1), it.Count, it.Count).Draw(t, "pins")
		lowest := Options{}.sound().lowest()
		task := taken(p, i, it.demand(lowest), it.granted(lowest))
		used := vectors{p.width(), make([]float64, len(p.Nodes)*p.width())}
		ok, anywhere := true, crowded && rapid.IntRange(0, 3).Draw(t, "crowd") == 0
		for _, n := range nodes {
			ok = ok && it.allows(n) && (anywhere || fits(used.row(n), task, free.row(n)))
			add(used.row(n), 1, task)
		}
		if ok {
			it.Pinned = nodes
			for _, n := range nodes {
				add(free.row(n), -1, task)
			}
		}
	}
}

func drawOrder(t *rapid.T, p *Problem) []int {
	return rapid.Permutation(all(len(p.Items))).Draw(t, "order")
}

// drawMapping maps items to any nodes where they are allowed, without regard to room.
func drawMapping(t *rapid.T, p *Problem) Mapping {
	m := make(Mapping, len(p.Items))
	for i, it := range p.Items {
		if it.Pinned != nil {
			m[i] = it.Pinned
		} else if rapid.IntRange(0, 4).Draw(t, "mapped") > 0 {
			m[i] = rapid.SliceOfN(rapid.IntRange(0, len(p.Nodes)-1), it.Count, it.Count).Draw(t, "nodes of item")
		}
	}
	return m
}

// cluster returns a reproducible problem with whole units, with memory so tight that some items wait.
func cluster(nodes, items, maxTasks int) (*Problem, []int) {
	r := rand.New(rand.NewPCG(1, uint64(nodes)))
	p := &Problem{}
	for range nodes {
		p.Nodes = append(p.Nodes, Node{CPU: 16000, Rigid: []float64{64 << 30}})
	}
	for i := range items {
		it := Item{
			Count:  1 + r.IntN(maxTasks),
			Need:   float64(250 * (1 + r.IntN(32))),
			MinCPU: 10,
			Rigid:  []float64{float64(1+r.IntN(10)) * (1 << 30)},
			Label:  uint64(i),
		}
		p.Items = append(p.Items, it)
	}
	order := r.Perm(items)
	return p, order
}

// taken returns one task's use of every dimension.
func taken(p *Problem, i int, cpu, yield float64) []float64 {
	v := make([]float64, p.width())
	p.Items[i].take(v, cpu, yield)
	return v
}

// everything returns a packer of all items.
func everything(p *Problem) *packer {
	k := new(packer)
	k.begin(p)
	for i := range p.Items {
		k.choose(i)
	}
	return k
}
