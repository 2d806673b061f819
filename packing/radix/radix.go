package radix

import (
	"math"
	"math/bits"
)

// A Key is a number and the index of its owner.
type Key struct {
	Number uint64
	Rank   int32
}

// Falling returns a number that grows as size falls. The bits of non-negative floats are ordered like
// the floats, those of negative ones in reverse.
func Falling(size float64) uint64 {
	const sign = 1 << 63
	number := math.Float64bits(size + 0) // turns negative zero into zero
	if number&sign != 0 {
		return number
	}
	return ^(number | sign)
}

// many is the number of keys from which on counting is faster than comparing.
const many = 64

// Sort sorts keys, the smallest number first, and keeps equals in their order. rest is memory for the
// next call. Before every pass Sort calls halted, if not nil; when that returns true the result is in
// no particular order.
func Sort(keys, spare []Key, halted func() bool) (sorted, rest []Key) {
	if len(keys) < many {
		insert(keys)
		return keys, spare
	}
	differ, ordered := survey(keys)
	if ordered {
		return keys, spare
	}
	if cap(spare) < len(keys) {
		spare = make([]Key, len(keys))
	}
	from, to, group := keys, spare[:len(keys)], 8
	if len(keys) > 1<<12 {
		group = 11
	}
	for shift := bits.TrailingZeros64(differ); differ>>shift != 0; shift += group {
		if halted != nil && halted() {
			break
		}
		deal(from, to, shift, group)
		from, to = to, from
	}
	return from, to
}

func insert(keys []Key) {
	for at := range keys {
		e, to := keys[at], at
		for ; to > 0 && keys[to-1].Number > e.Number; to-- {
			keys[to] = keys[to-1]
		}
		keys[to] = e
	}
}

// survey returns the digits in which keys differ, and reports whether they are in order.
func survey(keys []Key) (differ uint64, ordered bool) {
	first, before := keys[0].Number, keys[0].Number
	ordered = true
	for at := range keys {
		number := keys[at].Number
		differ |= number ^ first
		ordered = ordered && before <= number
		before = number
	}
	return differ, ordered
}

// deal sorts keys by a group of digits.
func deal(from, to []Key, shift, group int) {
	var counts [1 << 11]int32
	count, mask := counts[:1<<group], uint64(1)<<group-1
	for at := range from {
		count[from[at].Number>>shift&mask]++
	}
	place := int32(0)
	for v, n := range count {
		count[v], place = place, place+n
	}
	for at := range from {
		v := from[at].Number >> shift & mask
		to[count[v]] = from[at]
		count[v]++
	}
}
