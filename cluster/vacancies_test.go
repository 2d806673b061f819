package cluster

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// crowd returns a state with the given number of nodes. Some are partly in use, and some take nothing.
func crowd(count int, below func(n int) int) *State {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	for i := range count {
		n := &Node{ID: NodeID(i + 1), StoreProven: below(9) > 0, Cordoned: below(9) == 0, Health: Health(max(0, below(12)-9))}
		n.Description = Description{CPU: CPU(below(3)) * 8000, Memory: 64, Speed: Speed(below(4)) * 400}
		n.Load = Load{Need: CPU(1000 * below(40)), Memory: Bytes(below(66))}
		s.nodes.put(n)
		s.survey(n, CPU(1000*below(18)))
	}
	return s
}

// leastAmongAll looks at all nodes with room. The least is loaded least with the task.
func leastAmongAll(s *State, v Vacancies, count int, r Room, exclude []NodeID) (found NodeID) {
	var load float64
	for id := NodeID(1); int(id) <= count; id++ {
		at := v.at(id)
		if at.cpu == 0 || at.memory < r.Charge || at.spare < r.Least || contains(exclude, id) {
			continue
		}
		l := float64(at.need+r.Need) / float64(at.cpu)
		if most := s.Node(id).Description.Speed.Ceiling(r.Need); most < r.Need {
			l = max(l, float64(r.Need)/float64(most))
		}
		if found == 0 || l < load {
			found, load = id, l
		}
	}
	return found
}

func TestTheNodeThatIsLoadedLeastWithTheTaskIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		below := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "below") }
		count := 1 + below(20)
		s := crowd(count, below)
		v, before := s.vacancies, s.vacancies
		var taken []NodeID
		for range 1 + below(8) {
			r := Room{Need: CPU(1 + 1000*below(20)), Charge: Bytes(below(30)), Least: CPU(1000 * below(8))}
			want := leastAmongAll(s, v, count, r, taken)
			if got := v.Least(r, taken); got != want {
				t.Fatalf("node %d is found, the first of the least loaded with the task is %d", got, want)
			}
			if want == 0 {
				continue
			}
			if !s.Open(s.Node(want)) {
				t.Fatalf("node %d takes no VMs", want)
			}
			if v = v.Take(want, r); below(2) == 0 {
				taken = append(taken, want)
			}
		}
		if !before.equal(s.vacancies) {
			t.Fatal("taking has changed what there was before")
		}
	})
}

func TestFewPlacesAreLookedAtToFindANode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := crowd(10_000, r.IntN)
	for range 1000 {
		f := search{room: Room{Need: 1000, Charge: Bytes(r.IntN(20)), Least: CPU(100 * r.IntN(9))}}
		for _, size := range s.vacancies.sizes {
			f.visit(size.root, 0, s.vacancies.width)
		}
		if f.visits > 1000 {
			t.Fatalf("%d places are looked at for %+v", f.visits, f.room)
		}
	}
}

// BenchmarkPlaceOne finds a node for a task, and takes it.
func BenchmarkPlaceOne(b *testing.B) {
	for _, count := range []int{128, 1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			v := crowd(count, rand.New(rand.NewPCG(1, 2)).IntN).vacancies
			room := Room{Need: 1000, Least: 10, Charge: 4}
			b.ReportAllocs()
			for b.Loop() {
				v.Take(v.Least(room, nil), room)
			}
		})
	}
}
