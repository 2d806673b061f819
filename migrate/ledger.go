package migrate

import (
	"slices"

	"aliquot/cluster"
)

// ledger is what becomes of a node's memory as the plan is carried out. What a step
// takes belongs to it alone: memory that is free now, or that becomes free by something
// that the step waits for. So the plan is safe in every order that its waits allow.
type ledger struct {
	ready   bool          // moves may go to and from the node
	free    cluster.Bytes // now, not taken by any step; negative: the node shrank and is over-committed
	pending []credit      // will be free, not taken by any step
	debt    []credit      // what makes good for the over-commitment: all that take memory wait for it
	relief  []credit      // all that gives CPU up, for those that take it
}

// credit is memory that becomes free when a step, or a move under way, has ended.
type credit struct {
	bytes cluster.Bytes
	step  int            // index; -1: await
	await cluster.MoveID // 0: step
}

// room is the memory that the node will have left when all that is pending has ended.
func (l *ledger) room() cluster.Bytes {
	sum := l.free
	for _, c := range l.pending {
		sum += c.bytes
	}
	return sum
}

// spend takes memory, of which there must be room, and adds to the step what must end first.
func (l *ledger) spend(bytes cluster.Bytes, s *Step) {
	for l.free < 0 {
		c := l.draw(-l.free)
		l.free += c.bytes
		l.debt = append(l.debt, c)
	}
	s.wait(l.debt...)
	now := min(l.free, bytes)
	l.free -= now
	for bytes -= now; bytes > 0; {
		c := l.draw(bytes)
		bytes -= c.bytes
		s.wait(c)
	}
}

// draw takes at most that much from what becomes free first.
func (l *ledger) draw(most cluster.Bytes) credit {
	c := l.pending[0]
	c.bytes = min(c.bytes, most)
	l.pending[0].bytes -= c.bytes
	if l.pending[0].bytes == 0 {
		l.pending = l.pending[1:]
	}
	return c
}

// wait makes the step wait for the credits, each once, in order.
func (s *Step) wait(credits ...credit) {
	for _, c := range credits {
		if c.await != 0 {
			s.Await = insert(s.Await, c.await)
		} else {
			s.After = insert(s.After, c.step)
		}
	}
}

func insert[T int | cluster.MoveID](sorted []T, x T) []T {
	if i, found := slices.BinarySearch(sorted, x); !found {
		return slices.Insert(sorted, i, x)
	}
	return sorted
}
