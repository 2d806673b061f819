package portfolio

import (
	"slices"
	"strings"
)

// balance raises the level of the best mapping. While it can, it takes the node that limits the level
// and exchanges up to two of its tasks for up to two of another node's, or gives that node many
// identical ones, such that both nodes are then less loaded than the first was. Of the partners that
// it examines together it chooses the exchange that leaves the fuller of both nodes least full.
func (s *search) balance() {
	for s.Yield < s.near() && !s.over() {
		if before := s.Yield; !s.rise(before) || !s.exchanges() || s.Yield <= before {
			return
		}
	}
}

// exchanges makes all useful exchanges at the present sizes. It returns false if there was none.
func (s *search) exchanges() bool {
	b := balancing{layout: s.lay(s.best, s.work)}
	b.loads.reset(len(b.on), 1)
	for n := range b.on {
		slices.Sort(b.on[n])
		b.loads.leaf(n)[0] = -b.load(n)
	}
	b.loads.grow()
	some := false
	enough := s.Yield / s.near()
	for !s.over() {
		n := b.fullest()
		if b.load(n) <= enough || !(len(b.on) > large && b.relieve(n, false)) && !b.relieve(n, true) {
			break
		}
		some = true
	}
	if !some {
		return false
	}
	a := &attempt{left: make([]int32, len(s.kinds)), used: b.used}
	a.placed = b.placements(nil)
	level := s.reached(a)
	if level <= s.Yield {
		return false
	}
	s.best, s.Method, s.Yield = a, strings.TrimSuffix(s.Method, "+balance")+"+balance", level
	return true
}

// near is a level so close to the bound that nothing is left to gain.
func (s *search) near() float64 { return s.Bound.Level - s.accuracy()/10*(s.High-s.Low) }

// A balancing is a layout while exchanges improve it.
type balancing struct {
	*layout
	loads  tree // by node: minus its load
	pairs  bool // pairs of tasks may be exchanged too
	next   int  // position of the search for a partner
	mine   []parcel
	heaps  []parcel
	theirs []parcel
	places []int
}

// A parcel is up to two tasks of a node, by their places; -1 is none. more counts further tasks of the
// first one's kind.
type parcel struct{ a, b, more int }

// none is the parcel without tasks.
var none = parcel{a: -1, b: -1}

// together is the number of partners that are examined before the best exchange is made.
const together = 8

// load returns the largest used fraction of a node's fluid dimensions.
func (b *balancing) load(n int) float64 { return b.after(n, none, n, none) }

func (b *balancing) fullest() int {
	root := b.loads.at(1)[0]
	return b.loads.next(0, []float64{0}, []float64{root}, &b.steps)
}

// On large clusters a few partners are tried with single tasks, which is quick, before all are tried
// with pairs.
const few, large = 128, 500

// relieve makes the best exchange between a node and the next partners. It returns false if there is
// none.
func (b *balancing) relieve(n int, pairs bool) bool {
	partners := len(b.on)
	if b.pairs = pairs; !pairs {
		partners = min(few, partners)
	}
	b.mine = b.parcels(b.mine[:0], n)
	b.heaps = b.halves(b.heaps[:0], n)
	best := exchange{load: b.load(n) * (1 - 1e-9)}
	for looked := 1; looked <= partners; looked++ {
		if b.next++; b.next >= len(b.on) {
			b.next = 0
		}
		if b.next != n {
			b.consider(n, b.next, &best)
		}
		if looked%together == 0 && best.found || b.over() {
			break
		}
	}
	if best.found {
		b.make(n, best)
	}
	return best.found
}

// An exchange is the tasks that a node gives to another, and those that it gets in return.
type exchange struct {
	partner     int
	gives, gets parcel
	load        float64 // of the fuller of both
	found       bool
}

// parcels lists the parcels that a node could give, the empty one first. Of identical tasks it lists
// at most two. On nodes with many, thus small, tasks it lists no pairs and not all tasks.
func (b *balancing) parcels(list []parcel, n int) []parcel {
	const many, most = 12, 64
	on, places := b.on[n], b.places[:0]
	stride := 1 + len(on)/most
	for at := 0; at < len(on); at += stride {
		if at < 2*stride || on[at] != on[at-2*stride] {
			places = append(places, at)
		}
	}
	list = append(list, none)
	for i, a := range places {
		list = append(list, parcel{a: a, b: -1})
		for _, other := range places[:i] {
			if b.pairs && len(places) <= many {
				list = append(list, parcel{a: a, b: other})
			}
		}
	}
	b.places = places
	return list
}

// halves lists parcels of half, a quarter and so on of a node's identical tasks, down to three.
func (b *balancing) halves(list []parcel, n int) []parcel {
	on := b.on[n]
	for i, a := range b.places {
		if i > 0 && on[b.places[i-1]] == on[a] {
			continue
		}
		end, _ := slices.BinarySearch(on, on[a]+1)
		for count := (end - a) / 2; count > 2; count /= 2 {
			list = append(list, parcel{a, -1, count - 1})
		}
	}
	return list
}

// consider searches for a better exchange with a partner.
func (b *balancing) consider(n, partner int, best *exchange) {
	if b.load(partner) >= best.load {
		return
	}
	b.theirs = b.parcels(b.theirs[:0], partner)
	for _, gives := range b.mine[1:] {
		for _, gets := range b.theirs {
			b.weigh(n, exchange{partner: partner, gives: gives, gets: gets}, best)
		}
	}
	for _, gives := range b.heaps {
		b.weigh(n, exchange{partner: partner, gives: gives, gets: none}, best)
	}
}

// weigh keeps an exchange if it is possible and better than the best.
func (b *balancing) weigh(n int, e exchange, best *exchange) {
	b.steps++
	e.load, e.found = max(b.after(n, e.gives, e.partner, e.gets), b.after(e.partner, e.gets, n, e.gives)), true
	if e.load < best.load && b.fit(n, e.gives, e.partner, e.gets) && b.fit(e.partner, e.gets, n, e.gives) {
		*best = e
	}
}

// after returns the load of a node after the exchange.
func (b *balancing) after(n int, gives parcel, from int, gets parcel) (load float64) {
	for d := 0; d < b.width; d++ {
		if d == 1 {
			d += b.rigid // rigid dimensions do not count here
		}
		if at := n*b.width + d; d < b.width {
			load = max(load, fraction(b.used[at]-b.amount(n, gives, d)+b.amount(from, gets, d), b.capacity[at]))
		}
	}
	return load
}

func (b *balancing) amount(n int, p parcel, d int) (sum float64) {
	if p.a >= 0 {
		sum = b.size[int(b.on[n][p.a])*b.width+d] * float64(1+p.more)
	}
	if p.b >= 0 {
		sum += b.size[int(b.on[n][p.b])*b.width+d]
	}
	return sum
}

// fit reports whether the node would have room for its tasks after the exchange, and may take them.
func (b *balancing) fit(n int, gives parcel, from int, gets parcel) bool {
	for d := 1; d <= b.rigid; d++ {
		if b.used[n*b.width+d]-b.amount(n, gives, d)+b.amount(from, gets, d) > b.capacity[n*b.width+d] {
			return false
		}
	}
	if !b.bound {
		return true
	}
	for _, at := range []int{gets.a, gets.b} {
		if at < 0 {
			continue
		}
		k := b.on[from][at]
		if !b.may(k, n) || b.isSpread(k) && slices.Contains(b.on[n], k) {
			return false
		}
	}
	return true
}

func (b *balancing) make(n int, e exchange) {
	mine, theirs := b.take(n, e.gives), b.take(e.partner, e.gets)
	b.on[n], b.on[e.partner] = append(b.on[n], theirs...), append(b.on[e.partner], mine...)
	for _, at := range []int{n, e.partner} {
		slices.Sort(b.on[at])
		b.sum(at)
		b.steps += int64(len(b.on[at]))
		b.loads.leaf(at)[0] = -b.load(at)
		b.loads.changed(at)
	}
}

// take removes a parcel from a node, and returns the kinds of its tasks.
func (b *balancing) take(n int, p parcel) (kinds []int32) {
	if p.a < 0 {
		return nil
	}
	if kinds = append(kinds, b.on[n][p.a:p.a+1+p.more]...); p.b >= 0 {
		kinds = append(kinds, b.on[n][p.b])
	}
	b.on[n] = slices.Delete(b.on[n], p.a, p.a+1+p.more)
	if p.b >= 0 { // its place is before that of the first
		b.on[n] = slices.Delete(b.on[n], p.b, p.b+1)
	}
	return kinds
}
