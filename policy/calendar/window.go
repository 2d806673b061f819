package calendar

import (
	"math/bits"
	"slices"

	"aliquot/cluster"
)

// window is a run of consecutive steps in all of which the same nodes are free, at least as many as wanted. Steps
// enter at its end and leave at its beginning. It is a queue that knows the intersection of its elements, made of two
// stacks: each step before the turn holds the nodes that are free from it up to the turn, and one set holds the nodes
// that are free from the turn on. A step changes its stack once, so adding a step has constant amortized cost,
// however long the window is.
type window struct {
	words, wanted int
	at            []cluster.Time // begin of each step
	// per step, the nodes that are free in it; before the turn, the nodes that are free up to the turn
	free        []uint64
	first, turn int
	since       []uint64 // nodes that are free in all steps from the turn on
}

func (w *window) reset(words, wanted int) {
	w.words, w.wanted = words, wanted
	w.since = slices.Grow(w.since[:0], words)[:words]
	w.clear()
}

func (w *window) clear() {
	w.at, w.free, w.first, w.turn = w.at[:0], w.free[:0], 0, 0
	w.open()
}

// open begins the set of the nodes that are free from the turn on.
func (w *window) open() {
	for i := range w.since {
		w.since[i] = ^uint64(0)
	}
}

func (w *window) empty() bool { return w.first == len(w.at) }

func (w *window) start() cluster.Time { return w.at[w.first] }

// set returns the set of a step.
func (w *window) set(step int) []uint64 { return w.free[step*w.words:][:w.words] }

// all returns the nodes that are free in all steps. The window must not be empty.
func (w *window) all() Set {
	free := slices.Clone(w.since)
	if w.first < w.turn {
		for i, f := range w.set(w.first) {
			free[i] &= f
		}
	}
	return free
}

// push appends a step in which all nodes are free except those in one of the two sets. It then removes steps from the
// beginning until enough nodes are free in all remaining steps.
func (w *window) push(at cluster.Time, busy, always []uint64) {
	w.at = append(w.at, at)
	for i := range w.since {
		free := ^(busy[i] | always[i])
		w.free = append(w.free, free)
		w.since[i] &= free
	}
	for w.first < w.turn && common(w.set(w.first), w.since) < w.wanted {
		w.first++
	}
	if w.first == w.turn && Set(w.since).Len() < w.wanted {
		w.flip()
	}
}

// flip moves the turn to the end of the window. Going back from there, it drops every step up to the first one that
// has too few free nodes in common with the steps behind it.
func (w *window) flip() {
	w.turn = len(w.at)
	w.first = w.turn
	w.open()
	behind := w.since
	for w.first > 0 {
		set := w.set(w.first - 1)
		for i, b := range behind {
			set[i] &= b
		}
		if Set(set).Len() < w.wanted {
			break
		}
		w.first--
		behind = set
	}
	if w.empty() {
		w.clear()
	}
}

// common returns the number of nodes in both sets.
func common(a, b []uint64) (count int) {
	for i, w := range a {
		count += bits.OnesCount64(w & b[i])
	}
	return count
}

// rest returns the number of nodes in neither set.
func rest(a, b []uint64) (count int) {
	for i, w := range a {
		count += bits.OnesCount64(^(w | b[i]))
	}
	return count
}
