package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Sizes of the state on which admission is measured. A hundred promises are missing to the most that are kept.
const (
	livePromises = maxPromises - maxOfOwner
	liveOffers   = 100
	silent       = 50 // nodes, when one of them goes down
	nodeCPU      = 16 * Core
)

// promisedSite returns a site of 1,000 nodes, with promises of intervals and deadlines to many owners within a month,
// and offers to twelve projects.
func promisedSite(tb testing.TB) *site {
	b := &site{tb, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	b.apply(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	b.apply(Claim{Replica: 1, Term: 1})
	for i := range manyNodes {
		b.apply(Join{fmt.Sprint("n", i+1), "boot", Description{CPU: nodeCPU, Memory: 1 << 20 * MiB}, 0})
		b.apply(Report{Node: NodeID(i + 1), FenceAlive: true, StoreProven: true, StoreFree: 1 << 20 * MiB})
	}
	for i := range liveOffers / maxAlternatives {
		b.offer(i)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for i := b.s.promises.Len(); i < livePromises; i++ {
		b.apply(Submit{Spec: b.drawn(dice, i)})
	}
	b.apply(Adopt{Basis: b.s.Revision, Seen: b.s.View(b.s.Now).Pending(), Alarms: ticksAt(b.s.Now + Minute)})
	if err := b.s.Check(); err != nil {
		tb.Fatal(err)
	}
	return b
}

// offer fills half of a node for an hour, so that two tasks that want the other half twice are offered three things.
func (b *site) offer(i int) {
	start := b.s.Now + 48*Hour
	spec := b.wanting("full", 1, nodeCPU/2)
	spec.Placement.Nodes, spec.Reserve = []string{fmt.Sprint("n", i+1)}, &Reservation{start, Hour}
	b.apply(Submit{Spec: spec})
	asked := *spec
	asked.Owner, asked.Project, asked.Tasks = fmt.Sprint("asks", i), fmt.Sprint("p", i%12), 2
	asked.Reserve = &Reservation{start - Hour, 90 * Minute}
	if r := b.apply(Submit{&asked, MaxHold}); r.Offered == nil || len(r.Offered.Alternatives) != maxAlternatives {
		b.Fatalf("offered %+v", r.Offered)
	}
}

// drawn draws a job: half of them reserve an interval, half have a deadline.
func (b *site) drawn(dice *rand.Rand, i int) *Spec {
	spec := b.wanting(fmt.Sprint("o", i/maxOfOwner), 1+dice.IntN(8), Core*CPU(1+dice.IntN(8)))
	start := b.s.Now + Hour + Time(dice.Int64N(int64(30*24*Hour)))
	lasts := 10*Minute + Time(dice.Int64N(int64(12*Hour)))
	if i%2 == 0 {
		spec.Reserve = &Reservation{start, lasts}
	} else {
		spec.Deadline = &Deadline{By: start + 2*lasts, Lasts: lasts}
	}
	return spec
}

func (b *site) wanting(owner string, tasks int, need CPU) *Spec {
	spec := specimen()
	spec.Owner, spec.Tasks, spec.Need = owner, tasks, need
	return spec
}

// percentiles measures a command on clones of the site, without decoding it, and reports what half and 99 % took at
// most.
func (b *site) percentiles(bench *testing.B, refused bool, action func(i int) Action) {
	var times []time.Duration
	for i := 0; bench.Loop(); i++ {
		s, c := b.s.Clone(), b.command(action(i))
		began := time.Now()
		r := s.Apply(s.Revision+1, c)
		times = append(times, time.Since(began))
		if (r.Rejection != nil) != refused {
			bench.Fatal(r.Rejection)
		}
	}
	slices.Sort(times)
	bench.ReportMetric(float64(times[len(times)/2])/1e3, "p50-µs")
	bench.ReportMetric(float64(times[len(times)*99/100])/1e3, "p99-µs")
}

func BenchmarkPromises1e4(bench *testing.B) {
	b := promisedSite(bench)
	dice := rand.New(rand.NewPCG(3, 4))
	var specs [2][]*Spec
	for i := range 2000 {
		spec := b.drawn(dice, i)
		spec.Owner = "new"
		specs[i%2] = append(specs[i%2], spec)
	}
	for i, name := range []string{"Reserve", "Deadline"} {
		bench.Run(name, func(bench *testing.B) {
			b.percentiles(bench, false, func(k int) Action { return Submit{Spec: specs[i][k%1000]} })
		})
		bench.Run(name+"Refused", func(bench *testing.B) {
			b.percentiles(bench, true, func(k int) Action { return Submit{Spec: tooWide(specs[i][k%1000])} })
		})
	}
	moves := b.starting(500)
	bench.Run("Move500", func(bench *testing.B) {
		b.percentiles(bench, false, func(int) Action { return StartMoves{moves} })
	})
	for id := range NodeID(silent) {
		b.apply(SetHealth{id + 1, Silent})
	}
	bench.Run("Down", func(bench *testing.B) {
		b.percentiles(bench, false, func(k int) Action { return SetHealth{NodeID(k%silent + 1), Down} })
	})
}

// tooWide returns the job with a task on each node that takes all that its owner may be promised, for a week.
func tooWide(spec *Spec) *Spec {
	wide := *spec
	wide.Tasks, wide.Need, wide.Placement.Spread = manyNodes, nodeCPU/2, true
	if spec.Reserve != nil {
		wide.Reserve = &Reservation{spec.Reserve.Start, 7 * 24 * Hour}
	} else {
		wide.Deadline = &Deadline{By: spec.Deadline.By + 7*24*Hour, Lasts: 7 * 24 * Hour}
	}
	return &wide
}

// starting places some jobs with deadlines on other nodes than those which they are promised, and returns the moves
// that start their first tasks.
func (b *site) starting(jobs int) (moves []Move) {
	a := Adopt{Basis: b.s.Revision, Seen: b.s.View(b.s.Now).Pending(), Alarms: ticksAt(b.s.Now + Minute)}
	for p := range b.s.Promised() {
		if p.Work == 0 || len(a.Set) == jobs {
			continue
		}
		held := Placement{Grant: Foreground.Grant(10)}
		for i := range p.Nodes {
			held.Nodes = append(held.Nodes, NodeID((int(p.Job)*17+i)%manyNodes+1))
		}
		a.Set = append(a.Set, Holding{p.Job, held})
		moves = append(moves, Move{Kind: Start, Task: TaskID{Job: p.Job}, To: held.Nodes[0], CPU: 10})
	}
	b.apply(a)
	return moves
}
