package calendar

import (
	"slices"

	"aliquot/cluster"
)

// plain is a calendar as a table: the busy nodes at each instant, and the number of nodes that are booked without a
// name. Its last instant lasts forever.
type plain struct {
	nodes   int
	horizon cluster.Time
	busy    [][]bool // by instant and node id - 1
	extra   []int
}

func newPlain(nodes int, horizon cluster.Time) *plain {
	p := &plain{nodes: nodes, horizon: horizon, busy: make([][]bool, horizon), extra: make([]int, horizon)}
	for at := range p.busy {
		p.busy[at] = make([]bool, nodes)
	}
	return p
}

// instants returns the instants of an interval.
func (p *plain) instants(from, until cluster.Time) (list []int) {
	for at := from; at < min(until, p.horizon); at++ {
		list = append(list, int(at))
	}
	if len(list) == 0 {
		list = append(list, int(p.horizon-1))
	}
	return list
}

func (p *plain) set(from, until cluster.Time, nodes Set, busy bool) {
	for _, at := range p.instants(from, until) {
		for n := range nodes.All() {
			p.busy[at][n-1] = busy
		}
	}
}

func (p *plain) bookAny(from, until cluster.Time, nodes int) {
	for _, at := range p.instants(from, until) {
		p.extra[at] += nodes
	}
}

func (p *plain) count(at int) int {
	free := p.nodes - p.extra[at]
	for _, busy := range p.busy[at] {
		if busy {
			free--
		}
	}
	return free
}

func (p *plain) least(from, until cluster.Time) int {
	least := p.nodes
	for _, at := range p.instants(from, until) {
		least = min(least, p.count(at))
	}
	return least
}

func (p *plain) free(from, until cluster.Time) (free Set) {
	for n := range p.nodes {
		if !slices.ContainsFunc(p.instants(from, until), func(at int) bool { return p.busy[at][n] }) {
			free.Add(cluster.NodeID(n + 1))
		}
	}
	return free
}

func (p *plain) next(at cluster.Time) cluster.Time {
	for at++; at < p.horizon; at++ {
		if p.extra[at] != p.extra[at-1] || !slices.Equal(p.busy[at], p.busy[at-1]) {
			return at
		}
	}
	return Never
}

func (p *plain) earliestAny(from, lasts cluster.Time, nodes int) cluster.Time {
	for at := from; at < p.horizon; at++ {
		if p.least(at, After(at, lasts)) >= nodes {
			return at
		}
	}
	return Never
}

func (p *plain) earliest(a Ask) (cluster.Time, Set) {
	for at := a.From; at <= min(a.Latest, p.horizon-1); at++ {
		var free Set
		for n := range p.free(at, After(at, a.Lasts)).All() {
			if a.Among == nil || a.Among.Has(n) {
				free.Add(n)
			}
		}
		if free.Len() >= a.Nodes && p.least(at, After(at, a.Lasts)) >= a.Nodes {
			return at, free
		}
	}
	return Never, nil
}

func same(a, b Set) bool { return slices.Equal(slices.Collect(a.All()), slices.Collect(b.All())) }
