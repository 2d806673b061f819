package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// tops are the highest yields of tasks on the nodes, by need; nil: all nodes let the task use all of its need.
type tops map[cluster.CPU][]float64

// slow reports whether a node is slower than the reference.
func (n *node) slow() bool { return n.speed != 0 && n.speed < cluster.ReferenceSpeed }

// ceiling returns the most that each task of the job can use where the job is mapped.
func (b *board) ceiling(j *job) cluster.CPU {
	most := j.Spec.Need
	for _, n := range j.nodes {
		most = min(most, b.nodes[n].speed.Ceiling(j.Spec.Need))
	}
	return most
}

// limit tells packing what yields the tasks of the jobs can have on slow nodes.
func (b *board) limit(p *packing.Problem, jobs []*job) {
	if !slices.ContainsFunc(b.nodes, func(n node) bool { return n.slow() }) {
		return
	}
	known := tops{}
	for i, j := range jobs {
		need := j.Spec.Need
		list, seen := known[need]
		if !seen {
			list = b.tops(need)
			known[need] = list
		}
		if p.Items[i].Tops = list; list == nil {
			continue
		}
		most := 0.0
		for _, n := range b.reach(j) {
			if allowed := p.Items[i].Allowed; allowed == nil || allowed[n] {
				most = max(most, list[n])
			}
		}
		p.Items[i].Top = most
	}
}

// tops returns the highest yield of a task of that need on each node; nil: it is 1 on all of them.
func (b *board) tops(need cluster.CPU) []float64 {
	list, limited := make([]float64, len(b.nodes)), false
	for n := range b.nodes {
		most := b.nodes[n].speed.Ceiling(need)
		list[n] = float64(most) / float64(need)
		limited = limited || most < need
	}
	if !limited {
		return nil
	}
	return list
}

// pin fixes an item of the problem to nodes. It demands no more than it can have there.
func pin(it *packing.Item, nodes []int) {
	it.Allowed, it.Pinned = nil, nodes
	if it.Tops != nil {
		it.Top = 1
		for _, n := range nodes {
			it.Top = min(it.Top, it.Tops[n])
		}
	}
}
