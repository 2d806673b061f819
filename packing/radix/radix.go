package radix

import (
	"math"
	"math/bits"
)

// A Key is a number, and whose it is.
type Key struct {
	Number uint64
	Rank   int32
}

// Falling is a number that is larger the smaller a size is: the representation of what is not negative
// is ordered as the sizes are, of what is negative the other way round.
func Falling(size float64) uint64 {
	const sign = 1 << 63
	number := math.Float64bits(size + 0) // no negative zero
	if number&sign != 0 {
		return number
	}
	return ^(number | sign)
}

// many is the number of keys from which on counting is faster than comparing.
const many = 64

// Sort sorts keys, the smallest number first, and leaves equals in their order; what it returns as rest is memory for
// the next time. It asks whether there is to be an end, if that is not nil, before every pass; then they are in no order.
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

// survey says in which digits keys differ, and whether they are in order.
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

// deal puts keys in order of a group of digits.
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
