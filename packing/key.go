package packing

import (
	"math"
	"math/bits"
)

// A key is a size and whose it is.
type key struct {
	size float64
	rank int32
}

// many is the number of keys from which on counting is faster than comparing.
const many = 64

// sortKeys sorts keys, the largest first, and leaves equals in their order; what it returns as rest is memory for
// the next time.
func sortKeys(keys, spare []key) (sorted, rest []key) {
	if len(keys) >= many {
		return countingSort(keys, resized(spare, len(keys)))
	}
	for at := range keys {
		e, to := keys[at], at
		for ; to > 0 && keys[to-1].size < e.size; to-- {
			keys[to] = keys[to-1]
		}
		keys[to] = e
	}
	return keys, spare
}

// countingSort sorts by one group of the keys' digits after the other, from the last in which they differ.
// Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 5.2.5 (radix sorting).
func countingSort(from, to []key) (sorted, rest []key) {
	differ, first := uint64(0), from[0].digits()
	for at := range from {
		differ |= from[at].digits() ^ first
	}
	group := 8
	if len(from) > 1<<12 {
		group = 11
	}
	for shift := bits.TrailingZeros64(differ); differ>>shift != 0; shift += group {
		var counts [1 << 11]int32
		count, mask := counts[:1<<group], uint64(1)<<group-1
		for at := range from {
			count[from[at].digits()>>shift&mask]++
		}
		place := int32(0)
		for v, n := range count {
			count[v], place = place, place+n
		}
		for at := range from {
			v := from[at].digits() >> shift & mask
			to[count[v]] = from[at]
			count[v]++
		}
		from, to = to, from
	}
	return from, to
}

// digits are a number that is larger the smaller the size: the representation of what is not negative
// is ordered as the sizes are, of what is negative the other way round.
func (e key) digits() uint64 {
	const sign = 1 << 63
	size := math.Float64bits(e.size + 0) // no negative zero
	if size&sign != 0 {
		return size
	}
	return ^(size | sign)
}
