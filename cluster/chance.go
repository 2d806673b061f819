package cluster

import (
	"math"
	"slices"
)

// constraint is the room that a level leaves on a node for intervals from one start on and before another.
type constraint struct {
	first, last int // indexes of starts; last is excluded
	tasks       int
}

// chances returns, for each of some ascending starts, the number of tasks of the spec that find room for a time on all
// nodes together. It reads the levels of each node once, since intervals that follow each other share most of them.
func (b bookings) chances(spec *Spec, starts []Time, lasts Time) []int {
	lead, charge := b.lead(spec), b.Charge(spec)
	sums := make([]int, len(starts)+1) // differences to the start before
	var limits, queue []constraint
	for n := range b.Nodes() {
		if !b.mayTake(n, spec) || n.Ceiling(spec) < spec.Need {
			continue
		}
		c := n.Capacity()
		full := spec.most(c, charge)
		sums[0] += full
		limits = limits[:0]
		levels := b.levelsOn(n, starts[0]-lead, starts[len(starts)-1]+lasts)
		room := func(x level) int {
			left := Offer{c.CPU - x.cpu, c.Memory - x.memory - b.overhead*Bytes(x.tasks)}
			if left.CPU >= spec.Need*CPU(full) && left.Memory >= charge*Bytes(full) {
				return full
			}
			return spec.most(left, charge)
		}
		for i, next := 0, 0; i < len(levels); i = next {
			left, end := room(levels[i]), Time(math.MaxInt64)-lead
			for next = i + 1; next < len(levels) && room(levels[next]) == left; {
				next++
			}
			if next < len(levels) {
				end = levels[next].at
			}
			if left == full {
				continue
			}
			first, _ := slices.BinarySearch(starts, levels[i].at-lasts+1)
			if last, _ := slices.BinarySearch(starts, end+lead); first < last {
				limits = append(limits, constraint{first, last, left})
			}
		}
		queue = subtract(sums, full, limits, queue[:0])
		*b.looks += 1 + len(levels)
	}
	for i := range starts[1:] {
		sums[i+1] += sums[i]
	}
	return sums[:len(starts)]
}

// subtract takes from the sums the tasks that the strictest constraint on each start costs a node with room for full.
// Both ends of the constraints ascend, so that the strictest is the first in a queue.
func subtract(sums []int, full int, limits, queue []constraint) []constraint {
	head := 0
	for at := 0; len(limits) > 0 || head < len(queue); {
		for len(limits) > 0 && limits[0].first <= at {
			for len(queue) > head && queue[len(queue)-1].tasks >= limits[0].tasks {
				queue = queue[:len(queue)-1]
			}
			queue, limits = append(queue, limits[0]), limits[1:]
		}
		if head == len(queue) {
			at = limits[0].first
			continue
		}
		end := queue[head].last
		if len(limits) > 0 {
			end = min(end, limits[0].first)
		}
		sums[at] -= full - queue[head].tasks
		sums[end] += full - queue[head].tasks
		if at = end; at == queue[head].last {
			head++
		}
	}
	return queue
}

// levelsOn returns the levels of a node as levels does, with its maintenance, which takes more than any node has.
func (b bookings) levelsOn(n *Node, from, until Time) levels {
	list := b.levels(n, from, until)
	for _, w := range n.Maintenance {
		if w.Begun {
			w.From = min(w.From, from)
		}
		list = list.with(&claim{due: w.From, until: w.Until, cpu: 2 * MaxNodeCPU}, level.plus)
	}
	return list
}

// most returns the number of tasks that have room at a time in a part of a node.
func (s *Spec) most(left Offer, charge Bytes) int {
	most := s.Tasks
	if s.Placement.Spread {
		most = 1
	}
	return min(most, int(max(0, left.CPU)/s.Need), int(max(0, left.Memory)/charge))
}
