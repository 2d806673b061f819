package check

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
)

// edge is the begin or end of a span.
type edge struct {
	at   cluster.Time
	sign int
	span int
}

// sure returns the guaranteed part of a grant, which the node must have; zero in the background.
func sure(g cluster.Grant) cluster.CPU {
	if g.Tier == cluster.Background {
		return 0
	}
	return g.Guaranteed
}

// nodes verifies that no node ever gives more than it has, and that a batch policy hands out nodes or cores by its
// rule. It visits the begins and ends of all spans in the order of time, ends first.
func (c *checker) nodes(spans []sim.Span) {
	stream := c.stream
	edges := make([]edge, 0, 2*len(spans))
	for i, s := range spans {
		edges = append(edges, edge{s.From, 1, i}, edge{s.To, -1, i})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.sign, b.sign)) })
	given, loads := make([]sim.Node, len(c.setup.Nodes)), map[processor]*load{}
	rule := batchOf(fmt.Sprint(c.setup.Policy))
	for _, e := range edges {
		s := spans[e.span]
		for _, on := range processors(s) {
			id := on.node
			if id < 1 || int(id) > len(given) {
				c.fail("job %d ran on node %d, which does not exist", s.Job, id)
				continue
			}
			at, has := &given[id-1], c.setup.Nodes[id-1]
			at.CPU += cluster.CPU(e.sign) * sure(s.Grant)
			at.Memory += cluster.Bytes(e.sign) * stream[s.Job].Memory
			if e.sign > 0 && (at.CPU > has.CPU || at.Memory > has.Memory) {
				c.fail("at %v node %s gives %v and %v, but has %v and %v", e.at, has.Name, at.CPU, at.Memory, has.CPU, has.Memory)
			}
			if int(on.core) > has.Cores {
				c.fail("job %d ran on core %d of node %s, which has %d", s.Job, on.core, has.Name, has.Cores)
			}
			if loads[on] == nil {
				loads[on] = &load{}
			}
			if err := loads[on].add(rule, has, stream[s.Job], s.Grant.Tier, e.sign); err != nil {
				c.fail("at %v %v", e.at, err)
			}
		}
	}
}
