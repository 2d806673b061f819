package dfrs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// crowd returns partly used nodes of so many sizes.
func crowd(count, sizes int, below func(n int) int) (nodes []node) {
	for range count {
		n := node{offer: cluster.Offer{CPU: 16_000, Memory: 64}}
		if sizes > 1 {
			n.offer.CPU *= cluster.CPU(1 + below(sizes))
		}
		n.need, n.least, n.memory = cluster.CPU(1000*below(40)), cluster.CPU(1000*below(18)), cluster.Bytes(below(66))
		nodes = append(nodes, n)
	}
	return nodes
}

func TestTheNodeThatIsLoadedLeastWithTheTaskIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		below := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "below") }
		nodes, s := crowd(1+below(20), 3, below), new(vacancies)
		for n := range nodes {
			nodes[n].speed = cluster.Speed(below(4)) * 400
			if below(6) == 0 {
				nodes[n].offer.CPU = 0 // others use it all
			}
		}
		s.grow(nodes)
		taken := make([]int, len(nodes))
		for range 1 + below(8) {
			need := cluster.CPU(1 + 1000*below(20))
			j := &job{Job: &cluster.Job{Spec: &cluster.Spec{Need: need}}, charge: cluster.Bytes(below(30)),
				least: cluster.CPU(1000 * below(8))}
			want := -1
			for n := range nodes {
				if nodes[n].holds(j) && taken[n] == 0 && (want < 0 ||
					nodes[n].loadWith(need) < nodes[want].loadWith(need)) {
					want = n
				}
			}
			if got := s.find(j, taken); got != want {
				t.Fatalf("node %d is found, the first of the least loaded with the task is %d", got, want)
			}
			if want >= 0 {
				taken[want] = below(2)
				nodes[want].memory += j.charge
				nodes[want].least += j.least
				nodes[want].need += need
				s.change(want, nodes[want].vacancy())
			}
		}
	})
}

// BenchmarkPlace maps one task and unmaps it again, on nodes few of which have much memory left.
func BenchmarkPlace(b *testing.B) {
	for _, sizes := range []int{1, 3} {
		for _, count := range []int{128, 1000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("sizes=%d/nodes=%d", sizes, count), func(b *testing.B) { benchmarkPlace(b, count, sizes) })
		}
	}
}

func benchmarkPlace(b *testing.B, count, sizes int) {
	r := rand.New(rand.NewPCG(1, 1))
	nodes, s := crowd(count, sizes, r.IntN), new(vacancies)
	s.grow(nodes)
	j := &job{Job: &cluster.Job{Spec: &cluster.Spec{Need: 1000}}, least: 10}
	for b.Loop() {
		j.charge = cluster.Bytes(1 + r.IntN(60))
		n := s.find(j, nil)
		if n < 0 {
			b.Fatal("no node has room")
		}
		nodes[n].memory += j.charge
		s.change(n, nodes[n].vacancy())
		nodes[n].memory -= j.charge
		s.change(n, nodes[n].vacancy())
	}
}
