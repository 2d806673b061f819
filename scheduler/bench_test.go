package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
)

const (
	image = "busybox@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	gib   = 1024 * cluster.MiB
)

var root = cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.System}

// site is the state of a live cluster with its policy.
type site struct {
	*cluster.State
	testing.TB
	policy policy.Policy
	limits migrate.Limits
}

func (s *site) do(a cluster.Action) cluster.Result {
	r := s.Apply(s.Revision+1, cluster.Command{At: s.Now + cluster.Millisecond, Actor: root, Epoch: s.Epoch, Action: a})
	if r.Rejection != nil {
		s.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

// step makes the next proposal and applies it; false: there was none.
func (s *site) step() bool {
	a := new(scheduler.Backoff).Step(s.View(s.Now), s.policy, s.limits)
	if a != nil {
		s.do(a)
	}
	return a != nil
}

// running returns a cluster in which the given number of tasks run, of jobs with up to most tasks. They need the
// fraction load of the nodes' CPU and three quarters of their memory.
func running(b testing.TB, nodes, tasks, most int, load float64) *site {
	b.Helper()
	p, err := catalog.Parse("GreedyPM */stable", cluster.Hour)
	if err != nil {
		b.Fatal(err)
	}
	s := &site{cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "GreedyPM */stable", Period: cluster.Hour}), b, p,
		migrate.Limits{PerNode: 1 << 20, Total: 1 << 30, Store: 1 << 30}}
	s.do(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: image[len("busybox@sha256:"):],
		Kind: "kernel", Size: 1}})
	s.do(cluster.Claim{Replica: 1, Term: 1})
	for n := range nodes {
		id := s.do(cluster.Join{Name: fmt.Sprintf("n%d", n), Boot: "boot",
			Description: cluster.Description{CPU: 16 * cluster.Core, Memory: 64 * gib}}).Node
		s.do(cluster.Report{Node: id, FenceAlive: true, StoreProven: true, StoreFree: 1 << 50})
	}
	r := rand.New(rand.NewPCG(1, uint64(nodes)))
	need := load * 16000 * float64(nodes) / float64(tasks)
	memory := 0.75 * 64 * float64(nodes) / float64(tasks)
	for range 2 * tasks / (1 + most) {
		s.submit(1+r.IntN(most), cluster.CPU(min(16_000, need*(0.5+r.Float64()))),
			cluster.Bytes(min(64, memory*(0.5+r.Float64()))*float64(gib)))
	}
	for s.step() {
		s.obey()
	}
	if err := s.Check(); err != nil {
		b.Fatal(err)
	}
	return s
}

func (s *site) submit(tasks int, need cluster.CPU, memory cluster.Bytes) cluster.Result {
	return s.do(cluster.Submit{Spec: &cluster.Spec{
		Owner: "root", Project: "default", Image: image, Tasks: tasks, Need: need,
		Requirement: cluster.Requirement{Memory: memory},
	}})
}

// obey lets all nodes carry out their orders.
func (s *site) obey() {
	reports := map[cluster.NodeID]*cluster.Report{}
	for m := range s.Moves() {
		at := max(m.From, m.To)
		if reports[at] == nil {
			reports[at] = &cluster.Report{Node: at, FenceAlive: true, StoreProven: true, StoreFree: 1 << 50}
		}
		reports[at].Observations = append(reports[at].Observations, cluster.Observation{
			Run: cluster.RunID{Job: m.Task.Job, Index: m.Task.Index, Number: m.Run}, Move: m.ID, Seen: cluster.SeenRunning,
			Cap: m.CPU,
		})
	}
	for n := range s.Clone().Nodes() {
		if r := reports[n.ID]; r != nil {
			s.do(*r)
		}
	}
}

var sizes = []struct {
	nodes, tasks, most int
	load               float64
}{
	{128, 100, 1, 0.7}, {1000, 10_000, 1, 0.7}, {10_000, 100_000, 1, 0.7},
	{128, 500, 1, 1.5}, {1000, 10_000, 1, 1.5}, {10_000, 100_000, 1, 1.5},
	{128, 500, 9, 1.5}, {1000, 10_000, 9, 1.5}, {10_000, 100_000, 9, 1.5},
}

// BenchmarkArrival measures a leader's work when a job of one task arrives that fits, part by part: accepting it,
// finding the nodes to tell, deciding, comparing, adopting, finding the nodes to tell, planning and starting.
func BenchmarkArrival(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("nodes=%d/tasks=%d/most=%d/load=%.1f", size.nodes, size.tasks, size.most, size.load),
			func(b *testing.B) {
				s := running(b, size.nodes, size.tasks, size.most, size.load)
				before := s.State
				submitted := *s
				submitted.State = before.Clone()
				submitted.submit(1, 500, gib/2)
				v := submitted.View(submitted.Now)
				decision := s.policy.Decide(v)
				adopt := scheduler.Adoption(v, v.Pending(), decision)
				adopted := submitted
				adopted.State = submitted.Clone()
				adopted.do(adopt)
				plan := adopted.View(adopted.Now)
				start := new(scheduler.Backoff).Step(plan, s.policy, s.limits)
				part := func(name string, f func()) {
					b.Run(name, func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							f()
						}
					})
				}
				on := func(from *cluster.State, a cluster.Action) func() {
					return func() {
						t := *s
						t.State = from.Clone()
						t.do(a)
					}
				}
				part("1-submit", func() {
					t := *s
					t.State = before.Clone()
					t.submit(1, 500, gib/2)
				})
				part("2-touched", func() { submitted.Touched(before) })
				part("3-view", func() { submitted.View(submitted.Now) })
				part("4-decide", func() { s.policy.Decide(v) })
				part("5-adoption", func() { scheduler.Adoption(v, v.Pending(), decision) })
				part("6-adopt", on(submitted.State, adopt))
				part("7-touched", func() { adopted.Touched(submitted.State) })
				part("8-plan", func() { new(scheduler.Backoff).Step(plan, s.policy, s.limits) })
				part("9-start", on(adopted.State, start))
			})
	}
}

// BenchmarkDeparture measures the decision after a job has left, and its comparison with the present target.
func BenchmarkDeparture(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("nodes=%d/tasks=%d/most=%d/load=%.1f", size.nodes, size.tasks, size.most, size.load),
			func(b *testing.B) {
				s := running(b, size.nodes, size.tasks, size.most, size.load)
				s.do(cluster.Cancel{Job: 1})
				v := s.View(s.Now)
				decision := s.policy.Decide(v)
				b.Run("1-decide", func(b *testing.B) {
					for b.Loop() {
						s.policy.Decide(v)
					}
				})
				b.Run("2-adoption", func(b *testing.B) {
					for b.Loop() {
						scheduler.Adoption(v, v.Pending(), decision)
					}
				})
			})
	}
}
