package cluster

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type thing struct{ id uint32 }

// modelled is a table and what should be in it.
type modelled struct {
	table[uint32, thing]
	want map[uint32]*thing
}

func (s modelled) clone() modelled { return modelled{s.table.clone(), maps.Clone(s.want)} }

// change puts and removes things with small and large numbers.
func (s modelled) change(t *rapid.T) {
	for range rapid.IntRange(0, 20).Draw(t, "changes") {
		id := rapid.OneOf(rapid.Uint32Range(0, 40), rapid.Uint32Range(250, 260), rapid.Uint32()).Draw(t, "id")
		if rapid.Bool().Draw(t, "remove") {
			s.remove(id)
			delete(s.want, id)
			continue
		}
		_, there := s.want[id]
		s.want[id] = &thing{id}
		if s.put(s.want[id]) != there {
			t.Fatalf("whether %d replaced another is told wrong", id)
		}
	}
}

func (s modelled) check(t *rapid.T) {
	keys := slices.Sorted(maps.Keys(s.want))
	for _, id := range append(keys, 7, 255, 1<<31) {
		if s.get(id) != s.want[id] {
			t.Fatalf("under %d there is %v, should be %v", id, s.get(id), s.want[id])
		}
	}
	var got []uint32
	for e := range s.all() {
		got = append(got, e.id)
	}
	if !slices.Equal(got, keys) || s.Len() != len(keys) {
		t.Fatalf("%d entries, %v, should be %v", s.Len(), got, keys)
	}
}

func TestATableAndItsClonesAreMapsOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := []modelled{{newTable(func(e *thing) uint32 { return e.id }), map[uint32]*thing{}}}
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			s := rapid.SampledFrom(tables).Draw(t, "of")
			tables = append(tables, s.clone())
			s.change(t)
		}
		for _, s := range tables {
			s.check(t)
		}
		a, b := rapid.SampledFrom(tables).Draw(t, "earlier"), rapid.SampledFrom(tables).Draw(t, "later")
		want, got, last := map[uint32]changed[thing]{}, map[uint32]changed[thing]{}, -1
		for id := range maps.Keys(a.want) {
			if a.want[id] != b.want[id] {
				want[id] = changed[thing]{a.want[id], b.want[id]}
			}
		}
		for id := range maps.Keys(b.want) {
			if a.want[id] == nil {
				want[id] = changed[thing]{nil, b.want[id]}
			}
		}
		for id, d := range b.since(a.table) {
			if int(id) <= last {
				t.Fatalf("%d comes after %d", id, last)
			}
			got[id], last = d, int(id)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(changed[thing]{}, thing{})); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// visits counts the branches that a comparison looks at.
func visits[T any](old, now *branch[T], level int) int {
	if old == now {
		return 0
	}
	n := 1
	for i := range 16 {
		if level > 0 && old != nil && now != nil {
			n += visits(old.below[i], now.below[i], level-1)
		}
	}
	return n
}

func TestTablesAreComparedAtTheCostOfWhatDiffers(t *testing.T) {
	a := newTable(func(e *thing) uint32 { return e.id })
	for id := range uint32(100_000) {
		a.put(&thing{id})
	}
	b := a.clone()
	b.put(&thing{77_777})
	if n := visits(a.root, b.root, b.height-1); n != b.height {
		t.Errorf("%d branches are looked at, one on each of %d levels would do", n, b.height)
	}
	var found []uint32
	for id := range b.since(a) { // behind branches that both have
		found = append(found, id)
	}
	if !slices.Equal(found, []uint32{77_777}) {
		t.Errorf("%v differ", found)
	}
}
