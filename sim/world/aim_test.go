package world

import (
	"slices"
	"time"
)

// aim is a fault that waits for a moment in a VM's life: it strikes when the next call of that kind begins, or just
// after one took effect, while nobody knows that yet.
type aim struct {
	call string
	done bool          // it strikes after the call took effect
	lose bool          // the call's answer is lost
	from *node         // only calls there; nil: anywhere
	late time.Duration // from the moment to the blow
	blow func(n, peer *node) (end func())

	turn turn
	over bool
	end  func()
}

// moments are the calls at which a fault may be aimed.
var moments = []string{"hand over", "hand over", "migrate", "migrate", "save", "restore", "restore",
	"create", "thaw", "destroy"}

// blows are what happens there.
var blows = []func(n, peer *node) (end func()){
	func(n, _ *node) func() { return n.world.cut(n.world.ways(n.name, true, true)...) },
	func(_, peer *node) func() { return peer.world.cut(peer.world.ways(peer.name, true, true)...) },
	func(n, _ *node) func() { return n.crash() },
	func(_, peer *node) func() { return peer.crash() },
	func(n, _ *node) func() { return n.fail() },
	func(_, peer *node) func() { return peer.fail() },
	func(n, _ *node) func() { return n.machine().hang() },
	func(_, peer *node) func() { return peer.machine().hang() },
	func(n, peer *node) func() { return n.world.cut(way{n.name, peer.name}, way{peer.name, n.name}) },
	func(n, _ *node) func() { n.world.raft.elect(n.world.raft.state().Leader); return nil },
	func(n, _ *node) func() { return n.world.leading().fail() },
	func(*node, *node) func() { return nil },
}

// aimed arms a fault and returns what ends it.
func (w *world) aimed(f fault) func() {
	c, name := w.chance, f.String()
	a := &aim{turn: newTurn(), call: pick(c, "moment "+name, moments...), done: c.percent("after "+name, 60),
		lose: c.percent("lose "+name, 40), late: c.between("late "+name, 0, 15*time.Millisecond),
		blow: pick(c, "blow "+name, blows...)}
	if f.n%2 == 0 {
		a.from = w.named(f.on)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aims = append(w.aims, a)
	return func() {
		w.mu.Lock()
		w.aims = slices.DeleteFunc(w.aims, func(other *aim) bool { return other == a })
		w.mu.Unlock()
		a.stop()
	}
}

// strike lets the fault strike that is aimed at this moment. It reports whether the call's answer is lost.
func (w *world) strike(call string, done bool, n, peer *node) (lost bool) {
	w.mu.Lock()
	var hit *aim
	for i, a := range w.aims {
		if a.call == call && (a.done == done || call == "hand over") && (a.from == nil || a.from == n) {
			hit = a
			w.aims = append(w.aims[:i:i], w.aims[i+1:]...)
			break
		}
	}
	w.mu.Unlock()
	if hit == nil {
		return false
	}
	if peer == nil {
		peer = n
	}
	w.note("AIMED at %s of %s, after it %v, answer lost %v", call, n.name, done, hit.lose)
	go hit.hit(n, peer)
	return hit.lose
}

func (a *aim) hit(n, peer *node) {
	rest(n.world.ctx, a.late)
	defer a.turn.take()()
	if !a.over {
		a.end = a.blow(n, peer)
	}
}

func (a *aim) stop() {
	defer a.turn.take()()
	a.over = true
	if a.end != nil {
		a.end()
	}
}
