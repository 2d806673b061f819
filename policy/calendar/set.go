package calendar

import (
	"iter"
	"math/bits"

	"aliquot/cluster"
)

// Set is a set of nodes: node n is bit n%64 of word n/64. The zero value is the empty set.
type Set []uint64

// SetOf returns the set of these nodes.
func SetOf(nodes ...cluster.NodeID) (s Set) {
	for _, n := range nodes {
		s.Add(n)
	}
	return s
}

// Add puts a node into the set.
func (s *Set) Add(n cluster.NodeID) {
	for len(*s) <= int(n/64) {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

// Has reports whether the node is in the set.
func (s Set) Has(n cluster.NodeID) bool { return int(n/64) < len(s) && s[n/64]>>(n%64)&1 != 0 }

// last returns the last node of the set; 0: the set is empty.
func (s Set) last() cluster.NodeID {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0 {
			return cluster.NodeID(64*i + bits.Len64(s[i]) - 1)
		}
	}
	return 0
}

// Len returns the number of nodes in the set.
func (s Set) Len() (count int) {
	for _, w := range s {
		count += bits.OnesCount64(w)
	}
	return count
}

// All yields the nodes of the set by id.
func (s Set) All() iter.Seq[cluster.NodeID] {
	return func(yield func(cluster.NodeID) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(cluster.NodeID(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// First returns the set of the first count nodes, or of all if there are fewer.
func (s Set) First(count int) (first Set) {
	for _, w := range s {
		if count <= 0 {
			break
		}
		if count -= bits.OnesCount64(w); count < 0 {
			for ; count < 0; count++ {
				w &^= 1 << (63 - bits.LeadingZeros64(w))
			}
		}
		first = append(first, w)
	}
	return first
}
