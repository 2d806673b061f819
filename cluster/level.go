package cluster

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// level is what the claims on a node that do not move take together, from a time until the next level begins.
type level struct {
	at     Time
	cpu    CPU
	memory Bytes // without what is charged per VM
	tasks  int
}

// levels are the levels of a node by time. Neighbours differ, nothing is taken before the first, and the last is empty
// and lasts for ever. Levels are immutable.
type levels []level

// plus returns the level with a claim added; less, with one taken away.
func (x level) plus(c *claim) level {
	return level{x.at, x.cpu + c.cpu, x.memory + c.memory, x.tasks + c.tasks}
}
func (x level) less(c *claim) level {
	return level{x.at, x.cpu - c.cpu, x.memory - c.memory, x.tasks - c.tasks}
}

// follow appends a level unless it takes the same as the last one.
func (l levels) follow(x level) levels {
	var last level
	if len(l) > 0 {
		last = l[len(l)-1]
	}
	if last.at = x.at; last == x {
		return l
	}
	return append(l, x)
}

// first returns the index of the level in force at a time; -1: it is before all of them.
func (l levels) first(at Time) int {
	return sort.Search(len(l), func(i int) bool { return l[i].at > at }) - 1
}

// with returns the levels after a change by a claim, which is added or taken away.
func (l levels) with(c *claim, change func(level, *claim) level) levels {
	if c.due >= c.until {
		return l
	}
	begin, end := l.first(c.due), l.first(c.until)
	next := append(make(levels, 0, len(l)+2), l[:begin+1]...)
	var was level
	if begin >= 0 {
		if was = l[begin]; was.at == c.due {
			next = next[:begin]
		}
	}
	was.at = c.due
	next = next.follow(change(was, c))
	for _, was = range l[begin+1 : end+1] {
		if was.at < c.until {
			next = next.follow(change(was, c))
		}
	}
	was.at = c.until
	next = next.follow(was)
	return append(next, l[end+1:]...)
}

// levelsOf returns the levels of claims.
func levelsOf(claims []claim) (l levels) {
	edges := make([]level, 0, 2*len(claims)) // each with what changes
	for i := range claims {
		if c := &claims[i]; c.due < c.until {
			edges = append(edges, level{at: c.due}.plus(c), level{at: c.until}.less(c))
		}
	}
	slices.SortFunc(edges, func(x, y level) int { return cmp.Compare(x.at, y.at) })
	var sum level
	for i, e := range edges {
		sum = level{e.at, sum.cpu + e.cpu, sum.memory + e.memory, sum.tasks + e.tasks}
		if i+1 == len(edges) || edges[i+1].at > e.at {
			l = l.follow(sum)
		}
	}
	return l
}

// beside returns the levels together with others.
func (l levels) beside(others levels) levels {
	next := make(levels, 0, len(l)+len(others))
	var x, y level
	for len(l) > 0 || len(others) > 0 {
		at := Time(math.MaxInt64)
		if len(l) > 0 {
			at = l[0].at
		}
		if len(others) > 0 {
			at = min(at, others[0].at)
		}
		if len(l) > 0 && l[0].at == at {
			x, l = l[0], l[1:]
		}
		if len(others) > 0 && others[0].at == at {
			y, others = others[0], others[1:]
		}
		next = next.follow(level{at, x.cpu + y.cpu, x.memory + y.memory, x.tasks + y.tasks})
	}
	return next
}

// during returns the levels in force at a part of an interval.
func (l levels) during(from, until Time) levels {
	i := max(0, l.first(from))
	return l[i:max(i, i+l[i:].first(until-1)+1)]
}

// most returns the most CPU and memory that is taken at a moment of the levels, each VM charged with an overhead.
func (l levels) most(overhead Bytes) (most Offer) {
	for i := range l {
		most.CPU = max(most.CPU, l[i].cpu)
		most.Memory = max(most.Memory, l[i].memory+overhead*Bytes(l[i].tasks))
	}
	return most
}
