package backfill

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// never is after everything that will happen.
const never = cluster.Time(math.MaxInt64)

// profile is how many nodes of a class are free as a function of time: a step function
// from now to never. Its steps are kept in blocks that know their least and greatest number,
// so that a search passes over a block at a time, and what concerns all of one is noted once.
type profile struct{ blocks []block }

// size is how many steps a block holds.
const size = 32

type block struct {
	at              [size]cluster.Time // where each step begins
	free            [size]int          // nodes free then, less base
	count           int                // of steps, at least 1
	base            int
	least, greatest int // of free
}

// reset makes a profile of one step.
func (p *profile) reset(at cluster.Time, free int) {
	p.blocks = p.blocks[:0]
	p.extend(at, free)
}

// release adds a free node from a time on that is not before any other release. It is for profiles in
// which nothing is booked yet.
func (p *profile) release(at cluster.Time) {
	b := &p.blocks[len(p.blocks)-1]
	last := b.count - 1
	if b.at[last] != at {
		p.extend(at, b.free[last]+1)
		return
	}
	b.free[last]++
	b.least, b.greatest = b.free[0], b.free[last]
}

// extend appends a step.
func (p *profile) extend(at cluster.Time, free int) {
	if n := len(p.blocks); n == 0 || p.blocks[n-1].count == size {
		p.blocks = slices.Grow(p.blocks, 1)[:n+1]
		b := &p.blocks[n]
		b.count, b.base, b.least = 0, 0, free
	}
	b := &p.blocks[len(p.blocks)-1]
	b.at[b.count], b.free[b.count], b.greatest = at, free, free
	b.count++
}

// find returns the step that the time is in; it must not be before the first.
func (p *profile) find(at cluster.Time) (block, step int) {
	low, high := 0, len(p.blocks)
	for high-low > 1 {
		if mid := (low + high) / 2; p.blocks[mid].at[0] <= at {
			low = mid
		} else {
			high = mid
		}
	}
	b := &p.blocks[low]
	for step+1 < b.count && b.at[step+1] <= at {
		step++
	}
	return low, step
}

// least is the smallest number of free nodes from a time on, until another.
func (p *profile) least(from, until cluster.Time) int {
	least := math.MaxInt
	first, step := p.find(from)
	for i := first; i < len(p.blocks) && p.blocks[i].at[0] < until; i++ {
		b := &p.blocks[i]
		if b.base+b.least >= least {
			step = 0
			continue
		}
		for ; step < b.count && b.at[step] < until; step++ {
			least = min(least, b.base+b.free[step])
		}
		step = 0
	}
	return least
}

// earliest is the first time, not before from, at which that many nodes become free, or are,
// and stay so as long as it lasts; never if there is none.
func (p *profile) earliest(from, lasts cluster.Time, nodes int) cluster.Time {
	start, begun := from, true // begun: as far as searched, they are free since start
	first, step := p.find(from)
	for i := first; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		if begun && b.at[0] >= after(start, lasts) {
			return start
		}
		if begun && b.base+b.least >= nodes || !begun && b.base+b.greatest < nodes {
			step = 0
			continue
		}
		for ; step < b.count; step++ {
			switch enough := b.base+b.free[step] >= nodes; {
			case enough && !begun:
				start, begun = b.at[step], true
			case !enough && begun && b.at[step] >= after(start, lasts):
				return start
			case !enough:
				begun = false
			}
		}
		step = 0
	}
	if begun {
		return start
	}
	return never
}

// book takes nodes from a time on, until another; they must be free.
func (p *profile) book(from, until cluster.Time, nodes int) {
	if until != never {
		p.cut(until)
	}
	p.cut(from)
	first, step := p.find(from)
	for i := first; i < len(p.blocks) && p.blocks[i].at[0] < until; i++ {
		b := &p.blocks[i]
		if step == 0 && b.at[b.count-1] < until {
			b.base -= nodes
			continue
		}
		for ; step < b.count && b.at[step] < until; step++ {
			b.free[step] -= nodes
		}
		b.sum()
		step = 0
	}
}

// cut makes a step begin at the time.
func (p *profile) cut(at cluster.Time) {
	i, step := p.find(at)
	if p.blocks[i].at[step] == at {
		return
	}
	if p.blocks[i].count == size {
		p.split(i)
		i, step = p.find(at)
	}
	b := &p.blocks[i]
	copy(b.at[step+1:], b.at[step:b.count])
	copy(b.free[step+1:], b.free[step:b.count])
	b.at[step+1] = at
	b.count++
}

// split makes two blocks of a full one.
func (p *profile) split(i int) {
	p.blocks = slices.Insert(p.blocks, i+1, p.blocks[i])
	left, right := &p.blocks[i], &p.blocks[i+1]
	left.count = size / 2
	copy(right.at[:], right.at[size/2:])
	right.count = copy(right.free[:], right.free[size/2:])
	left.sum()
	right.sum()
}

// sum finds the least and the greatest number of free nodes anew.
func (b *block) sum() {
	b.least, b.greatest = slices.Min(b.free[:b.count]), slices.Max(b.free[:b.count])
}

// after is when the step that the time is in ends.
func (p *profile) after(at cluster.Time) cluster.Time {
	i, step := p.find(at)
	if b := &p.blocks[i]; step+1 < b.count {
		return b.at[step+1]
	}
	if i+1 < len(p.blocks) {
		return p.blocks[i+1].at[0]
	}
	return never
}
