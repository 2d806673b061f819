package policytest

import (
	"fmt"
	"hash/fnv"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// A step is an event of a cluster. Its numbers are drawn without knowledge of the state and select the first object
// that fits, so a script can be played on several Worlds.
type step struct {
	Kind string
	Pick int // selects the job, task or node
	How  int // selects the variant of the event
	Spec cluster.Spec
}

func drawScript(t *rapid.T) []step {
	some := rapid.SliceOfN(rapid.Custom(drawStep), 5, 60).Draw(t, "script")
	return append([]step{{Kind: "join", Pick: 0, How: 11}, {Kind: "join", Pick: 1, How: 6}}, some...)
}

func drawStep(t *rapid.T) step {
	kinds := []string{
		"submit", "submit", "submit", "decide", "decide", "decide", "start", "start", "obey", "obey", "obey", "pass", "pass",
		"end", "join", "wish", "health", "hold", "release", "store", "blind",
	}
	s := step{rapid.SampledFrom(kinds).Draw(t, "kind"), rapid.IntRange(0, 11).Draw(t, "pick"),
		rapid.IntRange(0, 11).Draw(t, "how"), cluster.Spec{}}
	if s.Kind == "submit" {
		s.Spec = drawSpec(t)
	}
	return s
}

func drawSpec(t *rapid.T) cluster.Spec {
	s := cluster.Spec{
		Tasks:       rapid.IntRange(1, 3).Draw(t, "tasks"),
		Need:        cluster.CPU(rapid.IntRange(1, 30).Draw(t, "need")) * 50,
		Requirement: cluster.Requirement{Memory: cluster.Bytes(rapid.IntRange(16, 64).Draw(t, "memory")) * cluster.MiB},
	}
	if rapid.IntRange(0, 5).Draw(t, "demanding") == 0 {
		s.MinYield = cluster.Parts(rapid.IntRange(1, 4).Draw(t, "floor")) * cluster.Whole / 4
	}
	if rapid.IntRange(0, 5).Draw(t, "connected") == 0 {
		s.Network = cluster.Bridged
	}
	s.Type = rapid.SampledFrom([]string{"", "a"}).Draw(t, "type")
	s.Estimate = cluster.Time(rapid.IntRange(0, 90).Draw(t, "estimate")) * cluster.Second
	s.Placement.Spread = rapid.IntRange(0, 3).Draw(t, "spread") == 0
	if rapid.IntRange(0, 5).Draw(t, "choosy") == 0 {
		s.Placement.Nodes = []string{nodeName(0), nodeName(2)}
	}
	return s
}

func drawClass(t *rapid.T) cluster.Class {
	return rapid.SampledFrom([]cluster.Class{cluster.StandardClass, cluster.StandardClass, cluster.BackgroundClass,
		cluster.EitherClass}).Draw(t, "class")
}

func nodeName(n int) string { return fmt.Sprintf("n%d", n+1) }

// play applies the step; it skips a step that is impossible.
func (s step) play(w *World, decide func()) {
	j, n := w.Job(cluster.JobID(s.Pick+1)), w.Node(cluster.NodeID(s.Pick%4+1))
	switch s.Kind {
	case "submit":
		w.Submit(s.Spec)
	case "decide":
		decide()
	case "start":
		w.Start()
	case "obey":
		w.report(s.luck)
	case "pass":
		w.Clock += cluster.Time(s.Pick*s.How) * cluster.Second
	case "join":
		cores := s.Pick / 4 * 2
		w.Join(nodeName(s.Pick%4), cluster.Description{CPU: cluster.CPU(s.How%6+1+cores) * 400,
			Memory: cluster.Bytes(s.How%4+1) * 50 * cluster.MiB, Cores: cores, Bridged: s.How%3 > 0, Isolates: s.How%3 > 1,
			Immobile: s.How%7 == 0, Speed: []cluster.Speed{0, 500, 0, 2000, 850}[(s.Pick+s.How)%5]})
	case "store":
		w.Store = []cluster.Bytes{-1, 80 * cluster.MiB, 1 << 50}[s.How%3]
		w.report(nil)
	case "blind":
		id := cluster.NodeID(s.Pick%4 + 1)
		w.blind[id] = !w.blind[id]
		w.report(nil)
	case "wish", "health":
		if n != nil {
			s.touch(w, n.ID)
		}
	case "end", "hold", "release":
		if j != nil {
			s.steer(w, j)
		}
	}
}

func (s step) touch(w *World, n cluster.NodeID) {
	if s.Kind == "wish" {
		w.Try(cluster.SetNode{Node: n, Want: cluster.NodeWish(s.How%3 + 1)})
	} else {
		w.Try(cluster.SetHealth{Node: n, Health: cluster.Health(s.How % 3)})
	}
}

func (s step) steer(w *World, j *cluster.Job) {
	switch s.Kind {
	case "hold":
		w.Try(cluster.Hold{Job: j.ID})
	case "release":
		w.Try(cluster.Release{Job: j.ID})
	case "end":
		if task := s.How % len(j.Tasks); j.Tasks[task].Phase == cluster.Running {
			w.End(cluster.TaskID{Job: j.ID, Index: task})
		}
	}
}

// luck decides, by the step and the run alone, whether an order is carried out, fails, or takes longer.
func (s step) luck(r cluster.RunID) fate {
	h := fnv.New32a()
	fmt.Fprint(h, s.Pick, s.How, r)
	return fate(h.Sum32() % 4 % 3) // every second order succeeds
}
