package cluster

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// site is a state with nodes and running jobs on which single commands are tried.
type site struct {
	testing.TB
	s *State
}

// built returns a site in which the last tenth of the jobs wait, and every ninth is starting.
func built(tb testing.TB, nodes, jobs int) *site {
	tb.Helper()
	b := &site{tb, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	b.apply(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	b.apply(Claim{Replica: 1, Term: 1})
	share := CPU(jobs/nodes+1) * 100
	for i := range nodes {
		b.apply(Join{fmt.Sprint("n", i+1), "boot", Description{CPU: share, Memory: 1 << 20 * MiB,
			Labels: []Pair{{"zone", "a"}}}, 0})
	}
	batch := min(1000, jobs/10)
	for i := range jobs {
		b.apply(Submit{Spec: specimen()})
		if first := i + 1 - batch; (i+1)%batch == 0 && i < jobs-jobs/10 {
			b.apply(b.placing(first, batch, 10))
			b.start(first, batch)
		}
	}
	for n := range b.s.Nodes() {
		b.apply(b.report(n.ID))
	}
	if err := b.s.Check(); err != nil {
		tb.Fatal(err)
	}
	return b
}

func specimen() *Spec {
	return &Spec{
		Name: "job", Owner: "root", Project: "default", Tasks: 1, Need: 1000, Requirement: Requirement{64 * MiB},
		Image:   testImage,
		Command: []string{"/bin/sh", "-c", "exec work"}, Env: []Pair{{"A", "1"}, {"B", "2"}},
	}
}

func (b *site) command(a Action) Command {
	return Command{At: b.s.Now + Millisecond, TimeSet: b.s.TimeSet, Actor: root, Epoch: b.s.Epoch, Action: a}
}

func (b *site) apply(a Action) Result {
	r := b.s.Apply(b.s.Revision+1, b.command(a))
	if r.Rejection != nil {
		b.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

// placing decides on the jobs after first, spread over the nodes.
func (b *site) placing(first, count int, cpu CPU) Adopt {
	a := Adopt{Basis: b.s.Revision, Seen: b.s.View(b.s.Now).Pending(), Alarms: ticksAt(b.s.Now + Minute)}
	nodes := int(b.s.NextNode) - 1
	for i := first; i < first+count; i++ {
		id := JobID(i + 1)
		a.Set = append(a.Set, Holding{id, Placement{Grant: Foreground.Grant(cpu), Nodes: []NodeID{NodeID(i%nodes + 1)}}})
		a.Why = append(a.Why, Reason{Job: id, Code: WhyPlaced, Values: []int64{10}})
	}
	return a
}

// start begins the starts of the placed jobs after first.
func (b *site) start(first, count int) {
	var moves []Move
	for i := range count {
		id := JobID(first + i + 1)
		p := b.s.Target(id)
		moves = append(moves, Move{Kind: Start, Task: TaskID{Job: id}, To: p.Nodes[0], CPU: p.Cap})
	}
	b.apply(StartMoves{moves})
}

// report reports that the node has carried out its orders, except every ninth start.
func (b *site) report(id NodeID) Report {
	r := Report{Node: id, FenceAlive: true, StoreProven: true, StoreFree: 1 << 20 * MiB}
	for i := JobID(id); i < b.s.NextJob; i += JobID(b.s.NextNode - 1) {
		if m := b.s.Move(TaskID{Job: i}); m != nil && i%9 != 0 {
			r.Observations = append(r.Observations, Observation{
				Run: RunID{i, 0, m.Run}, Move: m.ID, Seen: SeenRunning, Cap: m.CPU, Platform: "q35",
			})
		}
	}
	return r
}

// seen is a report of what goes on, on a node where nothing happens.
func (b *site) seen(id NodeID) Report {
	r := b.report(id)
	for _, o := range b.s.Orders(id).Runs {
		r.Observations = append(r.Observations, Observation{Run: o.Run, Seen: SeenRunning, Cap: o.CPU, Platform: "q35"})
	}
	return r
}

const manyJobs, manyNodes = 100_000, 1000

// measure applies a command to clones of a site, which is the whole path of a command but for the log.
func (b *site) measure(bench *testing.B, a Action) {
	encoded := EncodeCommand(b.command(a))
	bench.ReportAllocs()
	for bench.Loop() {
		c, err := DecodeCommand(encoded)
		if err != nil {
			bench.Fatal(err)
		}
		s := b.s.Clone()
		if r := s.Apply(s.Revision+1, c); r.Rejection != nil {
			bench.Fatal(r.Rejection)
		}
	}
}

func BenchmarkApply1e5Jobs(bench *testing.B) {
	b := built(bench, manyNodes, manyJobs)
	bench.Run("Submit", func(bench *testing.B) { b.measure(bench, Submit{Spec: specimen()}) })
	bench.Run("Report", func(bench *testing.B) { b.measure(bench, b.seen(1)) })
	bench.Run("Adopt100", func(bench *testing.B) { b.measure(bench, b.placing(0, 100, 11)) })
	bench.Run("Cancel", func(bench *testing.B) { b.measure(bench, Cancel{Job: 1}) })
	bench.Run("Orders", func(bench *testing.B) {
		for bench.Loop() {
			b.s.Orders(1)
		}
	})
	bench.Run("View", func(bench *testing.B) {
		for bench.Loop() {
			b.s.View(b.s.Now)
		}
	})
	bench.Run("Check", func(bench *testing.B) {
		for bench.Loop() {
			if err := b.s.Check(); err != nil {
				bench.Fatal(err)
			}
		}
	})
	bench.Run("Hash", func(bench *testing.B) {
		for bench.Loop() {
			b.s.Hash()
		}
	})
	bench.Run("Encode", func(bench *testing.B) {
		for bench.Loop() {
			if err := b.s.Encode(io.Discard); err != nil {
				bench.Fatal(err)
			}
		}
	})
	snapshot := written(bench, b.s)
	bench.Run("Decode", func(bench *testing.B) {
		bench.SetBytes(int64(len(snapshot)))
		for bench.Loop() {
			if _, err := Decode(bytes.NewReader(snapshot)); err != nil {
				bench.Fatal(err)
			}
		}
	})
}
