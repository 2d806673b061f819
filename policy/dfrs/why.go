package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// reasons passes on why jobs wait, stop, move or are placed.
func (b *board) reasons(wake cluster.Time, tell func(cluster.Reason) bool) {
	for _, v := range b.victims {
		v.cause = b.freed(cluster.WhyPausedFor, v)
		if v.by.claims(v.job) {
			v.cause.code = cluster.WhyPausedShare
		}
	}
	least := b.leastYield()
	for _, j := range b.jobs {
		r, ok := b.reason(j, least, wake)
		r.Job = j.ID
		if ok && !tell(r) {
			return
		}
	}
}

// freed returns the cause of a victim's pause or move: the other job, and 1 if the other needed CPU instead of memory.
func (b *board) freed(code cluster.ReasonCode, v victim) cause {
	c := cause{code, [2]int64{int64(v.by.ID)}}
	if b.lacksCPU(v) {
		c.values[1] = 1
	}
	return c
}

// reason returns the reason of a job's state; false for a job that stays where a move brought it, with the same share.
func (b *board) reason(j *job, least int64, wake cluster.Time) (r cluster.Reason, ok bool) {
	if !j.mapped() {
		return b.waiting(j, wake), true
	}
	moved := b.moved(j)
	switch {
	case len(j.before) == 0 || !moved && j.outdated():
		return cluster.Reason{Code: cluster.WhyPlaced, Values: []int64{j.yield()}}, true
	case !moved:
		return r, false
	case b.left(j) != 0:
		return cluster.Reason{Code: cluster.WhyLeftNode, Values: []int64{int64(b.left(j)), j.yield()}}, true
	case j.cause.code == cluster.WhyMovedFor:
		return j.cause.reason(), true
	}
	return cluster.Reason{Code: cluster.WhyRebalanced, Values: []int64{least}}, true
}

// outdated reports whether the reason of a job that stays may tell a yield that it had before this decision.
func (j *job) outdated() bool {
	switch j.Why.Code {
	case cluster.WhyPlaced, cluster.WhyKept:
		return true
	case cluster.WhyRebalanced, cluster.WhyLeftNode:
		return j.held != nil && j.held.Cap != j.share
	}
	return false
}

func (c cause) reason() cluster.Reason {
	values := c.values[:1]
	switch c.code {
	case cluster.WhyDropped:
		values = c.values[:]
	case cluster.WhyPausedFor, cluster.WhyPausedShare, cluster.WhyMovedFor:
		if c.values[1] != 0 {
			values = c.values[:]
		}
	}
	return cluster.Reason{Code: c.code, Values: slices.Clone(values)}
}

// lacksCPU reports whether the nodes that the victim had would have the memory for it still, but not the CPU.
func (b *board) lacksCPU(v victim) bool {
	memory, all := true, true
	for _, n := range v.held {
		b.tally[n]++
		memory = memory && b.slotsInMemory(v.job, n) >= b.tally[n]
		all = all && b.slots(v.job, n) >= b.tally[n]
	}
	for _, n := range v.held {
		b.tally[n] = 0
	}
	return memory && !all
}

// yield returns the share over the need, in thousandths.
func (j *job) yield() int64 { return int64(j.share * 1000 / j.Spec.Need) }

func (b *board) leastYield() int64 {
	least := int64(1000)
	for _, j := range b.jobs {
		if j.mapped() {
			least = min(least, j.yield())
		}
	}
	return least
}

// left returns the node that the job had to leave; 0: none.
func (b *board) left(j *job) cluster.NodeID {
	for _, n := range j.before {
		if b.nodes[n].offer.Memory == 0 {
			return b.nodes[n].ID
		}
	}
	return 0
}

// waiting returns why the job is not mapped: the cause of its stop, or its present lack.
func (b *board) waiting(j *job, wake cluster.Time) cluster.Reason {
	if r, short := b.shortOfFloor(j); short {
		return r
	}
	if len(j.before) > 0 && j.cause.code != "" {
		return j.cause.reason()
	}
	if len(b.nodes) == 0 || len(b.reach(j)) == 0 {
		return policy.NoNode(b.view, j.Job, j.count)
	}
	inMemory, packable, fit := 0, 0, 0
	for n := range b.nodes {
		slots := b.slotsInMemory(j, n)
		inMemory += slots
		fit += b.slots(j, n)
		if b.whole(j, n) {
			packable += slots
		}
	}
	switch {
	case inMemory < j.count && j.beyond:
		return policy.ShareUsed(b.view, j.Job, j.count, inMemory, j.owner.part)
	case inMemory < j.count:
		return policy.NoMemory(b.view, j.Job, j.count, inMemory)
	case fit < j.count:
		return b.noCPU(j, fit)
	case packable < j.count && j.cause.code == cluster.WhyDropped:
		return policy.NoMemory(b.view, j.Job, j.count, packable)
	case j.cause.code != "":
		return j.cause.reason()
	case wake != 0:
		return cluster.Reason{Code: cluster.WhyWaitsTick,
			Values: []int64{int64((wake - b.view.At + cluster.Second - 1) / cluster.Second)}}
	}
	return cluster.Reason{Code: cluster.WhyNotDecided}
}

// shortOfFloor returns the reason of a job for the least yield of whose tasks the nodes have less CPU than memory left.
func (b *board) shortOfFloor(j *job) (r cluster.Reason, short bool) {
	if j.Spec.MinYield == 0 || j.cause.code == cluster.WhyPausedShare {
		return r, false
	}
	inMemory, inCPU, fit := 0, 0, 0
	for n := range b.nodes {
		at := &b.nodes[n]
		if j.allows(n) {
			inMemory += b.slotsInMemory(j, n)
			inCPU += quotient(at.offer.CPU-at.least, j.least, b.most(j, n))
			fit += b.slots(j, n)
		}
	}
	short = fit < j.count && (inMemory >= j.count || inCPU < inMemory)
	return b.noCPU(j, fit), short
}

// noCPU returns the reason of a job for the least shares of whose tasks the nodes have too little CPU left.
func (b *board) noCPU(j *job, fit int) cluster.Reason {
	part := 0.0
	if j.beyond {
		part = j.owner.part
	}
	return policy.NoCPU(b.view, j.Job, j.count, fit, part)
}
