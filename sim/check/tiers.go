package check

import (
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// tiered reports whether the policy of that name puts at most one task in each tier of a processor.
func tiered(name string) bool {
	head, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"KEASY", "REASY", "MEASY", "attained"}, head)
}

// processor is a core of a node, or with core 0 the node.
type processor struct {
	node cluster.NodeID
	core cluster.CoreID
}

// processors returns the processor of each task of the span.
func processors(s sim.Span) []processor {
	all := make([]processor, len(s.Nodes))
	for i, n := range s.Nodes {
		if all[i].node = n; s.Cores != nil {
			all[i].core = s.Cores[i]
		}
	}
	return all
}

// neighbours are the spans on each processor, once for each of their tasks, if any job was in the background; nil: none
// was.
type neighbours map[processor][]neighbour

// neighbour is a task in a span.
type neighbour struct {
	sim.Span
	task int
}

// meet collects the spans on each processor if any job was in the background.
func meet(spans []sim.Span) neighbours {
	if !slices.ContainsFunc(spans, func(s sim.Span) bool { return s.Grant.Tier == cluster.Background }) {
		return nil
	}
	on := neighbours{}
	for _, s := range spans {
		for i, at := range processors(s) {
			on[at] = append(on[at], neighbour{s, i})
		}
	}
	return on
}

// times returns the times within the span at which its neighbours change.
func (c *checker) times(s sim.Span) (at []cluster.Time) {
	at = append(at, s.From, s.To)
	for _, on := range processors(s) {
		for _, o := range c.on[on] {
			for _, t := range []cluster.Time{o.From, o.To} {
				if s.From < t && t < s.To {
					at = append(at, t)
				}
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// mixed adds what a job did in a span in which it had neighbours in the other tier.
func (c *checker) mixed(done sum, s sim.Span) sum {
	times := c.times(s)
	for i, at := range times[:len(times)-1] {
		done = c.sped(done, s, at, times[i+1], c.rate(s, at))
	}
	return done
}

// rate returns the rate of the job at a time within the span: that of its slowest task.
func (c *checker) rate(s sim.Span, at cluster.Time) cluster.Parts {
	least, j := cluster.Whole, c.stream[s.Job]
	for i, on := range processors(s) {
		used, above, below := c.crowd(on, at)
		switch {
		case s.Grant.Tier == cluster.Foreground && below > 0:
			least = min(least, cluster.Whole-j.Loss)
		case s.Grant.Tier == cluster.Background && (above > 0 || below > 1):
			least = min(least, c.leftover(j, i, c.has(on), used, below))
		}
	}
	return least
}

// has returns the CPU of a processor.
func (c *checker) has(on processor) cluster.CPU {
	if on.core > 0 {
		n := c.setup.Nodes[on.node-1]
		return min(cluster.CPU(n.Speed.Known()), n.CPU) // thousandths of the 1000m of the reference
	}
	return c.setup.Nodes[on.node-1].CPU
}

// together verifies that the tasks on a node never do more than the node can. Those whose rate in the background was
// measured do not count.
func (c *checker) together() {
	nodes := map[cluster.NodeID][]neighbour{}
	for on, list := range c.on {
		nodes[on.node] = append(nodes[on.node], list...)
	}
	for _, id := range slices.Sorted(maps.Keys(nodes)) {
		if id < 1 || int(id) > len(c.setup.Nodes) {
			continue // that is found elsewhere
		}
		for _, first := range nodes[id] {
			can := c.setup.Nodes[id-1].CPU
			if does := c.does(nodes[id], first.From); does > can {
				c.fail("at %v the tasks on node %d do %v, but it can do %v", first.From, id, does, can)
			}
		}
	}
}

// does returns what tasks do at a time, each at most what it is given.
func (c *checker) does(tasks []neighbour, at cluster.Time) cluster.CPU {
	sum := cluster.Parts(0)
	for _, o := range tasks {
		j := c.stream[o.Job]
		if at < o.From || o.To <= at || o.Paying || o.Grant.Tier == cluster.Background && j.Rate > 0 {
			continue
		}
		sum += cluster.Parts(min(o.Share, c.setup.Uses.Of(&j, o.task))) * c.rate(o.Span, at)
	}
	return cluster.CPU(sum / cluster.Whole)
}

// crowd returns the use of the foreground of a processor, and how many tasks each of its tiers has.
func (c *checker) crowd(on processor, at cluster.Time) (used cluster.CPU, above, below int) {
	for _, o := range c.on[on] {
		switch {
		case at < o.From || o.To <= at:
		case o.Grant.Tier == cluster.Background:
			below++
		default:
			j := c.stream[o.Job]
			used, above = used+c.setup.Uses.Of(&j, o.task), above+1
		}
	}
	return used, above, below
}

// leftover returns the rate of a background task on a processor with that use of its foreground.
func (c *checker) leftover(j workload.Job, task int, has, used cluster.CPU, below int) cluster.Parts {
	use := min(cluster.Whole, cluster.Parts(used)*cluster.Whole/cluster.Parts(has))
	own := min(cluster.Whole, cluster.Parts(c.setup.Uses.Of(&j, task))*cluster.Whole/cluster.Parts(has))
	helps := map[bool]cluster.Parts{true: 860_000, false: 482_000}[j.Tasks == 1]
	if j.Efficiency > 0 {
		helps = j.Efficiency
	}
	switch {
	case use >= 960_000:
		return 0
	case j.Rate > 0:
		return j.Rate
	}
	return min(cluster.Whole, helps*((cluster.Whole-use)/cluster.Parts(below))/max(1, own))
}
