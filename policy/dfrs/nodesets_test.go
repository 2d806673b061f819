package dfrs

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

func TestOnlyJobsWithEqualConstraintsShareAList(t *testing.T) {
	words := rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "\x01a"})
	draw := func(t *rapid.T) nodeSet {
		pair := func() cluster.Pair { return cluster.Pair{Key: words.Draw(t, "key"), Value: words.Draw(t, "value")} }
		wish := &cluster.Spec{Need: rapid.SampledFrom([]cluster.CPU{500, 1000}).Draw(t, "need"),
			MinYield:  rapid.SampledFrom([]cluster.Parts{0, cluster.Whole / 2, cluster.Whole}).Draw(t, "floor"),
			Network:   rapid.SampledFrom([]cluster.Network{cluster.NoNetwork, cluster.Bridged}).Draw(t, "network"),
			BootsDisk: rapid.Bool().Draw(t, "disk")}
		wish.Placement.Nodes = rapid.SliceOfN(words, 0, 3).Draw(t, "nodes")
		for range rapid.IntRange(0, 2).Draw(t, "labels") {
			wish.Placement.Match = append(wish.Placement.Match, pair())
		}
		return nodeSet{platform: words.Draw(t, "platform"), asked: wish}
	}
	rapid.Check(t, func(t *rapid.T) {
		var shared nodeSets
		var kept []nodeSet // one for each list
		for range rapid.IntRange(1, 20).Draw(t, "jobs") {
			p := draw(t)
			found := shared.find(p.platform, p.asked)
			want := -1
			for i := range kept {
				if kept[i].fits(p.platform, p.asked) {
					want = i
				}
			}
			switch {
			case (found != nil) != (want >= 0):
				t.Fatalf("%+v of %q has a list: %v", p.asked, p.platform, found)
			case found != nil && len(found.allowed) != want:
				t.Fatalf("%+v of %q has the list of %+v", p.asked, p.platform, kept[len(found.allowed)].asked)
			case found == nil:
				p.allowed = make([]bool, len(kept))
				shared.add(&p)
				kept = append(kept, p)
			}
		}
	})
}

func TestAsManyListsAreKeptAsJobsAskForDifferentNodes(t *testing.T) {
	const nodes, jobs = 1000, 2000
	w := inRows(t, nodes, jobs, 200)
	b := newBoard(w.Look())
	defer b.release()
	lists := map[*nodeSet]bool{}
	for i := range b.all {
		lists[b.all[i].eligible] = true
	}
	if len(lists) != 200 {
		t.Errorf("%d jobs that ask for 200 rows of nodes have %d lists", len(b.all), len(lists))
	}
}

// inRows returns a cluster in which jobs wait, each for the nodes of its row.
func inRows(t testing.TB, nodes, jobs, rows int) *policytest.World {
	p, err := New("GreedyPM */stable", nil, cluster.Hour)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	row := func(i int) []cluster.Pair { return []cluster.Pair{{Key: "row", Value: fmt.Sprint(i % rows)}} }
	for n := range nodes {
		w.Join(fmt.Sprint("n", n), cluster.Description{CPU: 16 * cluster.Core, Memory: 64 << 30, Labels: row(n)})
	}
	for j := range jobs {
		w.Submit(cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 1 << 30},
			Placement: cluster.Constraint{Match: row(j)}})
	}
	return w
}

// BenchmarkBoardInRows measures newBoard when each job is restricted to a row of nodes.
func BenchmarkBoardInRows(b *testing.B) {
	for _, size := range []struct{ nodes, jobs, rows int }{{1000, 10_000, 10}, {1000, 10_000, 250},
		{10_000, 100_000, 2500}} {
		b.Run(fmt.Sprintf("%dx%d/%d", size.nodes, size.jobs, size.rows), func(b *testing.B) {
			v := inRows(b, size.nodes, size.jobs, size.rows).Look()
			b.ReportAllocs()
			for b.Loop() {
				newBoard(v).release()
			}
		})
	}
}
