package packing

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSharesKeptUpToDateAreThoseOfMaxMin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		for i := range p.Items {
			p.Items[i].Pinned = nil
			if rapid.Bool().Draw(t, "straight") {
				p.Items[i].Line = Line{}
			}
		}
		m := drawMapping(t, p)
		s := NewShares(p, m)
		if len(p.Items) == 0 {
			return
		}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			i := rapid.IntRange(0, len(p.Items)-1).Draw(t, "item")
			m[i] = nil
			if rapid.Bool().Draw(t, "comes") {
				m[i] = rapid.SliceOfN(rapid.IntRange(0, len(p.Nodes)-1), p.Items[i].Count, p.Items[i].Count).Draw(t, "nodes of item")
			}
			s.Place(i, m[i])
			for k, want := range MaxMin(p, m) {
				if got := s.Yields()[k]; math.Abs(got-want) > 1e-9 {
					t.Fatalf("item %d: yield %v, anew %v", k, got, want)
				}
			}
		}
	})
}

func TestSharesOfItemsThatShareNoNodeAreLeftAlone(t *testing.T) {
	p, m := &Problem{}, Mapping{}
	for n := range 100 {
		p.Nodes = append(p.Nodes, Node{CPU: 1000})
		for range 3 {
			p.Items, m = append(p.Items, Item{Count: 1, Need: 500}), append(m, []int{n})
		}
	}
	s := NewShares(p, m)
	if filled := s.Place(0, nil); filled != 2 {
		t.Errorf("%d items are filled anew where an item leaves two behind", filled)
	}
	p.Items = append(p.Items, Item{Count: 1, Need: 500})
	if filled := s.Place(300, []int{7}); filled != 4 || s.Yields()[300] != 0.5 {
		t.Errorf("%d items are filled anew where a fourth comes, its yield is %v", filled, s.Yields()[300])
	}
}

// The second item stops at a quarter on the first node; what happens on the second above that does not concern it.
func TestItemsThatStopBelowAreLeftAlone(t *testing.T) {
	p := &Problem{
		Nodes: []Node{{CPU: 500}, {CPU: 1000}},
		Items: []Item{{Count: 1, Need: 1000}, {Count: 2, Need: 1000}, {Count: 1, Need: 1000}, {Count: 1, Need: 500}},
	}
	s := NewShares(p, Mapping{{0}, {0, 1}, {1}, nil})
	if filled := s.Place(3, []int{1}); filled != 3 || s.Yields()[1] != 0.25 || s.Yields()[3] != 0.5 {
		t.Errorf("%d items are filled anew, to %v", filled, s.Yields())
	}
}
