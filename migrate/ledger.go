package migrate

import (
	"slices"

	"aliquot/cluster"
)

// ledger tracks a node's memory while the plan is carried out. Memory taken by a step belongs to that step alone: it
// is free now, or becomes free by something that the step waits for. Hence the plan is safe in every order that its
// waits allow.
type ledger struct {
	ready   bool          // moves may go to and from the node
	awaited bool          // it has come back and not reported its VMs yet; none may come
	free    cluster.Bytes // free now and not taken by any step; negative: the node shrank and is over-committed
	pending []credit      // becomes free later and is not taken by any step
	debt    []credit      // repays the over-commitment: every step that takes memory waits for it
	relief  []credit      // all steps that give CPU up, for the steps that take it
}

// credit is memory that becomes free when a step, or a move under way, ends.
type credit struct {
	bytes cluster.Bytes
	step  int            // index of the step; -1: await is set
	await cluster.MoveID // move under way; 0: step is set
}

// room returns the memory left when everything pending has ended.
func (l *ledger) room() cluster.Bytes {
	sum := l.free
	for _, c := range l.pending {
		sum += c.bytes
	}
	return sum
}

// spend takes memory for the step and adds its waits. Invariant: room() ≥ bytes.
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

// draw takes at most that much of the memory that becomes free first.
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
