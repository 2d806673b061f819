package hetero

import (
	"math/rand/v2"
	"slices"
)

// naive is the paper's text written down as it stands, to judge the fast code.
type naive struct {
	t    *Table
	from []Ticks
}

// greedy places each job where it ends first, in the order of the rule, and sums up their ends.
func (n naive) greedy(queue []Work, r rule) (runs []Run, ends Ticks) {
	free, left := slices.Clone(n.from), slices.Clone(queue)
	for len(left) > 0 {
		var best Run
		at := -1
		for i, w := range left {
			one := Run{Work: w, End: Never}
			for m, d := range n.t.Sequential[w.Type] {
				if free[m]+d < one.End {
					one.Resource, one.Start, one.End = m, free[m], free[m]+d
				}
			}
			if at < 0 || r == first && one.End < best.End || r == last && one.End > best.End {
				at, best = i, one
			}
		}
		free[best.Resource] = best.End
		runs, ends = append(runs, best), ends+best.End
		left = slices.Delete(left, at, at+1)
	}
	return runs, ends
}

func (n naive) sjs(queue []Work) ([]Run, Ticks) {
	one, ends := n.greedy(queue, first)
	if other, sum := n.greedy(queue, last); sum < ends {
		return other, sum
	}
	return one, ends
}

func (n naive) pjs(queue []Work) ([]Run, Ticks) {
	best, value := n.sjs(queue)
	var parallel []Run
	var ends Ticks
	rest := slices.Clone(queue)
	for {
		var o Run
		var profit Ticks
		at := -1
		for i, w := range rest {
			alone := Never
			for m, d := range n.t.Sequential[w.Type] {
				alone = min(alone, n.from[m]+d)
			}
			for c, d := range n.t.Parallel[w.Type] {
				if d >= Never {
					continue
				}
				var start Ticks
				for _, m := range n.t.Groups[c] {
					start = max(start, n.from[m])
				}
				gain := alone - start - d
				if gain > profit || gain == profit && at >= 0 && start+d < o.End {
					o, profit, at = Run{Work: w, Parallel: true, Resource: c, Start: start, End: start + d}, gain, i
				}
			}
		}
		if at < 0 {
			return best, value
		}
		rest = slices.Delete(slices.Clone(rest), at, at+1)
		n.from = slices.Clone(n.from)
		for _, m := range n.t.Groups[o.Resource] {
			n.from[m] = o.End
		}
		parallel, ends = append(parallel, o), ends+o.End
		runs, sum := n.sjs(rest)
		if sum+ends >= value {
			return best, value
		}
		best, value = append(slices.Clone(parallel), runs...), sum+ends
	}
}

// rule chooses the job to be placed next.
type rule bool

const (
	first rule = false
	last  rule = true
)

// drawn returns a random site with a few machines, clusters and types. Every type may run on some machine.
func drawn(r *rand.Rand) *Table {
	s := &Site{Machines: make([]Machine, 1+r.IntN(6))}
	types := make([]string, 1+r.IntN(3))
	for at := 0; at+1 < len(s.Machines) && r.IntN(3) > 0; {
		size := min(1+r.IntN(3), len(s.Machines)-at)
		c := Cluster{}
		for range size {
			c.Members = append(c.Members, at)
			at++
		}
		s.Clusters = append(s.Clusters, c)
	}
	t := NewTable(s, types)
	for k := range types {
		for m := range s.Machines {
			if m == k%len(s.Machines) || r.IntN(4) > 0 {
				t.Sequential[k][m] = Ticks(1 + r.IntN(30))
			}
		}
		for c := range s.Clusters {
			if r.IntN(3) > 0 {
				t.Parallel[k][c] = Ticks(1 + r.IntN(12))
			}
		}
	}
	return t
}

// works returns random jobs of a table, submitted from time 0 until the given one, in their order.
func works(r *rand.Rand, t *Table, count int, until Ticks) (jobs []Work) {
	for i := range count {
		jobs = append(jobs, Work{Job: i, Type: r.IntN(len(t.Types)), Level: Level(r.IntN(3)),
			Submit: Ticks(r.Int64N(int64(until) + 1))})
	}
	return jobs
}
