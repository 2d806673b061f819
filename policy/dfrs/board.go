package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// board is the mapping while a decision is being made: who is where, and what that leaves.
type board struct {
	view    *cluster.View
	nodes   []node // by id
	jobs    []*job // candidates, from the highest priority to the lowest
	byID    map[cluster.JobID]*job
	index   map[cluster.NodeID]int
	plain   map[string][]bool // nodes allowed to jobs without constraints, by platform
	victims []victim          // marked for pausing in this instant
	room    cluster.Bytes     // of the store, less what the victims need
	freed   bool              // a job was unmapped since waiting jobs were last tried
}

// node is what a node offers and what the tasks mapped to it make of that.
type node struct {
	*cluster.Node
	offer  cluster.Offer
	memory cluster.Bytes
	need   cluster.CPU
	least  cluster.CPU // sum of the smallest shares
}

func newBoard(v *cluster.View) *board {
	b := &board{
		view: v, room: v.Spare(), freed: true,
		byID: map[cluster.JobID]*job{}, index: map[cluster.NodeID]int{}, plain: map[string][]bool{},
	}
	for n := range v.Nodes() {
		b.index[n.ID] = len(b.nodes)
		offer := n.Capacity()
		if n.Draining || n.Health == cluster.Down {
			offer.Memory = 0 // who is there has to leave
		}
		b.nodes = append(b.nodes, node{Node: n, offer: offer})
	}
	for j := range v.Candidates() {
		if j.Live() > 0 {
			b.add(j)
		}
	}
	slices.SortFunc(b.jobs, byPriority)
	return b
}

func (b *board) add(c *cluster.Job) {
	j := &job{
		Job: c, priority: policy.Priority(c, b.view.At),
		count: c.Live(), charge: b.view.Charge(c.Spec), least: c.Spec.MinShare(),
		saves: b.view.Saving(c), fixed: b.view.Stuck(c), allowed: b.allowed(c),
	}
	if p := b.view.Target(c.ID); p != nil {
		for _, id := range p.Nodes {
			if id != 0 {
				j.before = append(j.before, b.index[id])
			}
		}
		b.occupy(j, j.before)
	}
	b.jobs = append(b.jobs, j)
	b.byID[c.ID] = j
}

// allowed lists the nodes on which the job's tasks may be placed. Jobs that ask for
// nothing special share one list.
func (b *board) allowed(j *cluster.Job) []bool {
	platform, plain := b.unconstrained(j)
	if list := b.plain[platform]; plain && list != nil {
		return list
	}
	list, allows := make([]bool, len(b.nodes)), b.view.Allowing(j)
	for n := range b.nodes {
		list[n] = allows(b.nodes[n].Node)
	}
	if plain {
		b.plain[platform] = list
	}
	return list
}

// unconstrained tells whether all that decides where the job may go is the one platform of its runs.
func (b *board) unconstrained(j *cluster.Job) (platform string, ok bool) {
	ok = !b.view.Stuck(j) && len(j.Spec.Placement.Nodes) == 0 && len(j.Spec.Placement.Match) == 0
	first := true
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == cluster.Done {
			continue
		}
		if first {
			platform, first = t.Platform, false
		}
		ok = ok && t.Platform == platform && t.Avoid == 0 && (t.Node == 0 || !b.nodes[b.index[t.Node]].Cordoned)
	}
	return platform, ok
}

// occupy maps the job to the nodes, whether or not they have room.
func (b *board) occupy(j *job, nodes []int) {
	j.nodes = nil
	for _, n := range nodes {
		b.put(j, n)
	}
}

// put maps one more task of the job.
func (b *board) put(j *job, n int) {
	j.nodes = append(j.nodes, n)
	b.nodes[n].count(j, 1)
}

// lift takes the job off the nodes.
func (b *board) lift(j *job) {
	for _, n := range j.nodes {
		b.nodes[n].count(j, -1)
	}
	j.nodes = nil
}

func (n *node) count(j *job, sign int) {
	n.memory += cluster.Bytes(sign) * j.charge
	n.need += cluster.CPU(sign) * j.Spec.Need
	n.least += cluster.CPU(sign) * j.least
}

// load is the sum of needs as a fraction of the node's CPU.
func (n *node) load() float64 { return float64(n.need) / float64(n.offer.CPU) }

// holds tells whether the node has room for another task of the job.
func (n *node) holds(j *job) bool {
	return n.memory+j.charge <= n.offer.Memory && n.least+j.least <= n.offer.CPU
}

// over tells whether more is mapped to the node than it has.
func (n *node) over() bool { return n.memory > n.offer.Memory || n.least > n.offer.CPU }

// slots counts the tasks of an unmapped job that node n can take.
func (b *board) slots(j *job, n int) int {
	return min(b.slotsInMemory(j, n), max(0, int((b.nodes[n].offer.CPU-b.nodes[n].least)/j.least)))
}

// slotsInMemory counts them by memory alone.
func (b *board) slotsInMemory(j *job, n int) int {
	most := j.count
	if j.Spec.Placement.Spread {
		most = 1
	}
	if !j.allowed[n] {
		most = 0
	}
	return min(most, max(0, int((b.nodes[n].offer.Memory-b.nodes[n].memory)/j.charge)))
}

// capacity counts the tasks of an unmapped job that would fit, all nodes together.
func (b *board) capacity(j *job) (sum int) {
	for n := range b.nodes {
		sum += b.slots(j, n)
	}
	return sum
}

// restore maps the job to exactly those nodes if they have room.
func (b *board) restore(j *job, nodes []int) bool {
	for _, n := range nodes {
		if !b.nodes[n].holds(j) {
			b.lift(j)
			return false
		}
		b.put(j, n)
	}
	return true
}

// pausable tells whether the job may be unmapped and its work be kept.
func (b *board) pausable(j *job) bool {
	return !j.fixed && (j.saves == 0 || j.saves <= b.room)
}

// relieve unmaps jobs of the lowest priority from nodes that drain or have become too small.
// One that cannot be paused is moved, or stays: what nobody can resolve is left as it is.
func (b *board) relieve() {
	for _, j := range slices.Backward(b.jobs) {
		if j.fixed || !b.crowded(j) {
			continue
		}
		b.lift(j)
		if b.pausable(j) {
			b.room -= j.saves
		} else if !b.greedy(j) {
			b.occupy(j, j.before)
		}
	}
}

// crowded tells whether the job is on a node that has not enough for what is there.
func (b *board) crowded(j *job) bool {
	return slices.ContainsFunc(j.nodes, func(n int) bool { return b.nodes[n].over() })
}
