package packing

import (
	"math"
	"slices"
)

// A key is a size and whose it is.
type key struct {
	size float64
	rank int32
}

// many is the number of keys from which on counting is faster than comparing.
const many = 512

// sortKeys sorts keys that come by rank, the largest first and equals by rank; what it returns as rest is
// memory for the next time.
func sortKeys(keys, spare []key) (sorted, rest []key) {
	if len(keys) >= many {
		return countingSort(keys, resized(spare, len(keys)))
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.size > b.size:
			return -1
		case a.size < b.size:
			return 1
		}
		return int(a.rank - b.rank)
	})
	return keys, spare
}

// countingSort sorts byte by byte of the keys' digits, from the last.
// Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 5.2.5 (radix sorting).
func countingSort(from, to []key) (sorted, rest []key) {
	var counts [8][256]int32
	for _, e := range from {
		for d, v := 0, e.digits(); d < 8; d, v = d+1, v>>8 {
			counts[d][byte(v)]++
		}
	}
	for d := range counts {
		count, shift := &counts[d], 8*d
		if count[byte(from[0].digits()>>shift)] == int32(len(from)) {
			continue
		}
		place := int32(0)
		for v, n := range count {
			count[v], place = place, place+n
		}
		for _, e := range from {
			v := byte(e.digits() >> shift)
			to[count[v]] = e
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
	bits := math.Float64bits(e.size + 0) // no negative zero
	if bits&sign != 0 {
		return bits
	}
	return ^(bits | sign)
}
