package check

import (
	"cmp"
	"maps"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
)

// claim is memory that a task takes on a node, or gives up, at a time.
type claim struct {
	at    cluster.Time
	node  cluster.NodeID
	bytes cluster.Bytes
}

// claim notes that a task takes memory, or gives it up.
func (t *trip) claim(node cluster.NodeID, bytes cluster.Bytes) {
	t.claims = append(t.claims, claim{t.now, node, bytes})
}

// moves verifies a schedule in which moves take time. It follows every task from move to move, and compares where the
// tasks are with the spans: memory counts on both nodes of a move, and a job progresses while all of its tasks run and
// none is being paused.
func (c *checker) moves(result sim.Result, moves []sim.Moved, held map[int64][]sim.Span) {
	c.trips = map[int64]*trip{}
	of := map[int64][]cluster.Move{}
	for _, m := range moves {
		of[m.Job] = append(of[m.Job], m.Move)
	}
	for _, o := range result.Jobs {
		c.trips[o.ID] = c.follow(o, false, of[o.ID])
	}
	for _, s := range result.Stopped {
		c.trips[s.ID] = c.follow(s.Outcome, true, of[s.ID])
	}
	for _, m := range moves {
		if c.trips[m.Job] == nil {
			c.fail("job %d moves at %v, but neither ended nor stopped", m.Job, m.Started)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.trips)) {
		c.agree(c.trips[id], held[id])
	}
	c.memory()
}

// agree verifies that a job held what its tasks held.
func (c *checker) agree(t *trip, held []sim.Span) {
	sorted := slices.SortedFunc(slices.Values(held), func(a, b sim.Span) int { return cmp.Compare(a.From, b.From) })
	var told []sim.Span
	for _, s := range sorted {
		told = join(told, s)
	}
	for i := range max(len(told), len(t.spans)) {
		var has, should sim.Span
		if i < len(told) {
			has = told[i]
		}
		if i < len(t.spans) {
			should = t.spans[i]
		}
		if has.From != should.From || has.To != should.To || !alike(has, should) {
			c.fail("job %d: by its moves it holds %v on nodes %v from %v to %v, standing still %v; recorded is %v on %v from %v "+
				"to %v, %v", t.ID, should.Share, should.Nodes, should.From, should.To, should.Paying, has.Share, has.Nodes,
				has.From, has.To, has.Paying)
			return
		}
	}
}

// memory verifies that no node ever holds more memory than it has, with that of tasks on their way there and away.
func (c *checker) memory() {
	slices.SortFunc(c.claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes))
	})
	given := make([]cluster.Bytes, len(c.setup.Nodes))
	for _, x := range c.claims {
		if x.node < 1 || int(x.node) > len(given) {
			c.fail("at %v a task moves to node %d, which does not exist", x.at, x.node)
			continue
		}
		given[x.node-1] += x.bytes
		if has := c.setup.Nodes[x.node-1]; x.bytes > 0 && given[x.node-1] > has.Memory {
			c.fail("at %v the tasks on node %s, and those that move there, take %v, but it has %v", x.at, has.Name,
				given[x.node-1], has.Memory)
		}
	}
}
