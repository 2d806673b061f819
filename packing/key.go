package packing

import (
	"cmp"
	"math"
	"slices"
)

// A key decides between items: by the first requirement, the larger before, ties by the other
// one, then by rank.
type key struct {
	first, other float64
	rank         int32
}

func before(a, b key) int {
	switch {
	case a.first != b.first:
		return cmp.Compare(b.first, a.first)
	case a.other != b.other:
		return cmp.Compare(b.other, a.other)
	}
	return cmp.Compare(a.rank, b.rank)
}

// many is the number of keys from which on counting is faster than comparing.
const many = 512

// sortKeys sorts keys that come by rank; what it returns as rest is memory for the next time.
func sortKeys(keys, spare []key) (sorted, rest []key) {
	if len(keys) < many {
		slices.SortFunc(keys, before)
		return keys, spare
	}
	spare = resized(spare, len(keys))
	keys, spare = countingSort(keys, spare, func(k *key) float64 { return k.other })
	return countingSort(keys, spare, func(k *key) float64 { return k.first })
}

// countingSort sorts by a number that is not negative, the largest first, and keeps the order of equals: byte by
// byte of its representation, which orders such numbers as they are, from the last.
// Reference: D. Knuth, "The Art of Computer Programming", volume 3, section 5.2.5 (radix sorting).
func countingSort(from, to []key, number func(*key) float64) (sorted, rest []key) {
	digits := func(k *key) uint64 { return ^math.Float64bits(number(k) + 0) } // no negative zero
	var counts [8][256]int32
	for at := range from {
		for d, v := 0, digits(&from[at]); d < 8; d, v = d+1, v>>8 {
			counts[d][byte(v)]++
		}
	}
	for d := range counts {
		count, shift := &counts[d], 8*d
		if count[byte(digits(&from[0])>>shift)] == int32(len(from)) {
			continue
		}
		place := int32(0)
		for v, n := range count {
			count[v], place = place, place+n
		}
		for at := range from {
			v := byte(digits(&from[at]) >> shift)
			to[count[v]] = from[at]
			count[v]++
		}
		from, to = to, from
	}
	return from, to
}
