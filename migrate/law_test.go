package migrate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

const unit = 32 * cluster.MiB

// generator makes small crowded clusters: most plans need waits, and many have cycles.
type generator struct {
	*world
	t *rapid.T
}

func (g generator) int(low, high int, label string) int {
	return rapid.IntRange(low, high).Draw(g.t, label)
}

func (g generator) someNode() cluster.NodeID {
	return cluster.NodeID(g.int(1, int(g.s.NextNode)-1, "node"))
}

// crowd makes a cluster whose tasks are anywhere and whose target is any that fits.
func crowd(t *rapid.T) generator {
	g := generator{newWorld(t.Fatalf), t}
	for _, name := range []string{"n1", "n2", "n3", "n4"}[:g.int(1, 4, "nodes")] {
		g.join(name, cluster.Description{CPU: 4000, Memory: cluster.Bytes(g.int(2, 8, "memory")) * unit,
			Immobile: g.int(0, 5, "immobile") == 5})
	}
	for range g.int(1, 9, "jobs") {
		j := g.submit(g.int(1, 2, "tasks"), 1000, cluster.Bytes(g.int(1, 3, "size"))*unit)
		if j == nil {
			continue
		}
		for i := range j.Tasks {
			phase := rapid.SampledFrom([]cluster.Phase{cluster.Idle, cluster.Booting, cluster.Running, cluster.Running,
				cluster.Running, cluster.Saved}).Draw(t, "phase")
			g.bring(cluster.TaskID{Job: j.ID, Index: i}, phase, g.someNode(), cluster.CPU(g.int(100, 1000, "cap")))
		}
	}
	g.retarget()
	return g
}

// retarget adopts a random target. Adoption omits placements that do not fit.
func (g generator) retarget() {
	a := cluster.Adopt{Basis: g.s.Revision, Seen: g.view().Pending()}
	for j := range g.s.Jobs() {
		h := cluster.Holding{Job: j.ID,
			Placement: cluster.Placement{Grant: cluster.Foreground.Grant(cluster.CPU(g.int(100, 1000, "share")))}}
		for range j.Tasks {
			h.Placement.Nodes = append(h.Placement.Nodes, g.someNode())
		}
		if g.int(0, 4, "holds") > 0 {
			a.Set = append(a.Set, h)
		}
	}
	g.must(a)
}

// disturb lets some moves begin or fail, and some nodes fall silent or shrink.
func (g generator) disturb() {
	for range g.int(0, 3, "moves") {
		ready := Build(g.view()).Ready(g.view(), Limits{9, 9, 9})
		if len(ready) == 0 {
			break
		}
		m := rapid.SampledFrom(ready).Draw(g.t, "move")
		g.must(cluster.StartMoves{Moves: []cluster.Move{m}})
		if rapid.Bool().Draw(g.t, "fails") {
			g.lazy = rapid.Bool().Draw(g.t, "lingers")
			g.end(m.Task, false)
			g.lazy = false
			if rapid.Bool().Draw(g.t, "waits") {
				g.wait(cluster.Minute)
			}
		}
	}
	if g.int(0, 3, "foreign") == 0 {
		n := g.someNode()
		g.must(cluster.Report{Node: n, Foreign: cluster.Foreign{Memory: unit}, FenceAlive: true, StoreProven: true,
			StoreFree: g.store})
	}
	if g.int(0, 3, "silence") == 0 {
		g.must(cluster.SetHealth{Node: g.someNode(), Health: cluster.Silent})
	}
	g.retarget()
	g.store = cluster.Bytes(g.int(-1, 6, "store")) * unit
	for n := range g.s.Nodes() {
		g.must(cluster.Report{Node: n.ID, Foreign: n.Foreign, FenceAlive: true, StoreProven: g.store >= 0,
			StoreFree: max(g.store, -1)})
	}
}

// reordered returns the plan in a random order that its waits allow.
func reordered(p Plan, r *rand.Rand) Plan {
	at := make([]int, len(p.Steps)) // new index of each step, -1: not yet
	for i := range at {
		at[i] = -1
	}
	out := Plan{Blocked: p.Blocked}
	for len(out.Steps) < len(p.Steps) {
		i := r.IntN(len(p.Steps))
		if at[i] >= 0 || slices.ContainsFunc(p.Steps[i].After, func(k int) bool { return at[k] < 0 }) {
			continue
		}
		s := Step{Move: p.Steps[i].Move, Await: p.Steps[i].Await}
		for _, k := range p.Steps[i].After {
			s.After = append(s.After, at[k])
		}
		at[i] = len(out.Steps)
		out.Steps = append(out.Steps, s)
	}
	return out
}

func TestPlansAreFeasibleInEveryOrderThatTheirWaitsAllow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		g.disturb()
		v := g.view()
		p := Build(v)
		if err := p.Check(v); err != nil {
			t.Fatalf("%+v\n%v", p, err)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		for range 5 {
			other := reordered(p, r)
			if err := other.Check(v); err != nil {
				t.Fatalf("%+v\nreordered: %+v\n%v", p, other, err)
			}
		}
	})
}

func TestTheSameViewGivesTheSamePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		g.disturb()
		p := Build(g.view())
		for range 5 {
			if !slices.EqualFunc(p.Steps, Build(g.view()).Steps, func(a, b Step) bool {
				return a.Move == b.Move && slices.Equal(a.After, b.After) && slices.Equal(a.Await, b.Await)
			}) {
				t.Fatalf("%+v\nand then %+v", p, Build(g.view()))
			}
		}
	})
}

func TestAllReadyMovesMayStartAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		g.disturb()
		ready := Build(g.view()).Ready(g.view(), Limits{99, 99, 99})
		if len(ready) == 0 {
			return
		}
		_, _, before := g.s.Counts()
		g.must(cluster.StartMoves{Moves: ready})
		if _, _, now := g.s.Counts(); now != before+len(ready) {
			t.Fatalf("%d of %+v started", now-before, ready)
		}
	})
}

func TestOneMoveNeverLengthensThePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		for {
			p := Build(g.view())
			ready := p.Ready(g.view(), Limits{99, 99, 99})
			if len(ready) == 0 {
				return
			}
			m := rapid.SampledFrom(ready).Draw(t, "move")
			g.must(cluster.StartMoves{Moves: []cluster.Move{m}})
			g.end(m.Task, true)
			if next := Build(g.view()); len(next.Steps)+len(next.Blocked) > len(p.Steps)+len(p.Blocked) {
				t.Fatalf("%+v\nafter %v of %v: %+v", p, m.Kind, m.Task, next)
			}
		}
	})
}

func TestMovesLeadToTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		limits := Limits{g.int(1, 3, "per node"), g.int(1, 4, "total"), g.int(1, 4, "store")}
		for rounds := 0; ; rounds++ {
			if rounds > 200 {
				t.Fatalf("never done: %+v", Build(g.view()))
			}
			g.startGuests()
			if ready := Build(g.view()).Ready(g.view(), limits); len(ready) > 0 {
				g.must(cluster.StartMoves{Moves: ready})
			}
			moves := slices.Collect(g.s.Moves())
			if len(moves) == 0 {
				break
			}
			task := rapid.SampledFrom(moves).Draw(t, "ends").Task
			g.end(task, true)
		}
		if p := Build(g.view()); len(p.Steps)+len(p.Blocked) > 0 {
			t.Fatalf("left: %+v", p)
		}
		for j := range g.s.Jobs() {
			for i := range j.Tasks {
				if !settled(&j.Tasks[i], g.s.Target(j.ID), i) {
					t.Fatalf("%v/%d is %+v, its target %+v", j.ID, i, j.Tasks[i], g.s.Target(j.ID))
				}
			}
		}
	})
}

func (g generator) startGuests() {
	for _, j := range slices.Collect(g.s.Jobs()) {
		for i := range j.Tasks {
			if task := (cluster.TaskID{Job: j.ID, Index: i}); j.Tasks[i].Phase == cluster.Booting && g.s.Move(task) == nil {
				g.run(task)
			}
		}
	}
}

func TestMovesOneAtATimeNeverLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := crowd(t)
		g.disturb()
		for rounds := 0; ; rounds++ {
			if rounds > 200 {
				t.Fatalf("never at rest: %+v", Build(g.view()))
			}
			for _, m := range slices.Collect(g.s.Moves()) {
				g.end(m.Task, true)
			}
			g.clean()
			ready := Build(g.view()).Ready(g.view(), Limits{1, 1, 1})
			if len(ready) == 0 {
				return
			}
			g.must(cluster.StartMoves{Moves: ready})
		}
	})
}
