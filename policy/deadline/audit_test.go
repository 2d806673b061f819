package deadline

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

var digest = strings.Repeat("a", 64)

// live is a cluster of alike nodes with a core each, whose State books what it promises.
type live struct {
	*rapid.T
	*cluster.State
	nodes int
}

func newLive(t *rapid.T) *live {
	l := &live{t, cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute}),
		rapid.IntRange(1, 4).Draw(t, "nodes")}
	l.must(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: digest, Kind: "kernel", Size: 1}})
	l.must(cluster.Claim{Replica: 1, Term: 1})
	l.must(cluster.SetQuota{Quota: cluster.Quota{Owner: "root", Most: cluster.Use{CPU: 1_000_000, Memory: 1 << 40}}})
	for i := range l.nodes {
		name := fmt.Sprint("n", i)
		l.must(cluster.Join{Name: name, Boot: "boot", Description: cluster.Description{CPU: 1000, Memory: 1 << 30}})
		l.must(cluster.Report{Node: l.NodeNamed(name).ID, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	}
	return l
}

func (l *live) apply(a cluster.Action) cluster.Result {
	root := cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.System}
	return l.Apply(l.Revision+1, cluster.Command{Actor: root, Epoch: l.Epoch, Action: a})
}

func (l *live) must(a cluster.Action) {
	if r := l.apply(a); r.Rejection != nil {
		l.Fatal(r.Rejection)
	}
}

// ask submits a job that reserves an interval or has a deadline within hours, and reports whether it is promised.
func (l *live) ask() bool {
	minutes := func(low, high int, what string) cluster.Time {
		return cluster.Time(rapid.IntRange(low, high).Draw(l.T, what)) * cluster.Minute
	}
	s := &cluster.Spec{Name: "test", Owner: "root", Project: "default", Need: 1000, Class: cluster.StandardClass,
		Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}, Image: "busybox@sha256:" + digest,
		Tasks: rapid.IntRange(1, l.nodes).Draw(l.T, "tasks")}
	if rapid.Bool().Draw(l.T, "reserves") {
		s.Reserve = &cluster.Reservation{Start: minutes(1, 240, "start"), Lasts: minutes(1, 30, "lasts")}
	} else {
		s.Deadline = &cluster.Deadline{Ready: minutes(0, 60, "ready"), By: minutes(61, 300, "by"),
			Lasts: minutes(1, 120, "lasts"), Pausable: rapid.Bool().Draw(l.T, "pausable")}
	}
	return l.apply(cluster.Submit{Spec: s}).Rejection == nil
}

// runs returns what is promised as runs of the exact test: each interval and each part as one that lasts all of it.
func (l *live) runs() (list []Run) {
	for p := range l.Promised() {
		for _, part := range p.Parts() {
			due := part.From - p.Lead
			j := &Job{ID: p.Job, Tasks: len(part.Nodes), Ready: due, Deadline: part.Until, Lasts: part.Until - due}
			list = append(list, j.fresh())
		}
	}
	return list
}

// hold fails unless the parts of each promise hold the work of its job, between the times that it named, and their
// leads do not overlap.
func (l *live) hold() {
	for p := range l.Promised() {
		d, held, at := l.Job(p.Job).Spec.Deadline, cluster.Time(0), l.Now
		for _, part := range p.Parts() {
			if part.From-p.Lead < at {
				l.Fatalf("%+v begins before the one before has ended", part)
			}
			held, at = held+part.Until-part.From, part.Until
		}
		if d != nil && (held < p.Work || p.From < d.Ready || at > d.By) {
			l.Fatalf("%+v is promised to a job with the deadline %+v", p, d)
		}
	}
}

// lose cordons the last node, and forgets what is not promised any more.
func (l *live) lose() {
	l.nodes--
	l.must(cluster.SetNode{Node: l.NodeNamed(fmt.Sprint("n", l.nodes)).ID, Want: cluster.ForceCordon})
	for p := range l.Promised() {
		if p.Broken() {
			l.must(cluster.Cancel{Job: p.Job})
		}
	}
}

// The exact test audits what a live cluster promises, at a stretch and in parts, also after a node is lost.
func TestAllThatALiveClusterPromisesPassesTheExactTest(t *testing.T) {
	promised, refused, inParts, lost := 0, 0, 0, 0
	audit := func(l *live) {
		if !flowKeeps(l.Now, l.nodes, l.runs(), nil) {
			l.Fatal("the exact test says that a promise is missed")
		}
		if err := l.Check(); err != nil {
			l.Fatal(err)
		}
		l.hold()
	}
	rapid.Check(t, func(t *rapid.T) {
		l := newLive(t)
		for range rapid.IntRange(5, 30).Draw(t, "jobs") {
			if !l.ask() {
				refused++
				continue
			}
			promised++
			audit(l)
		}
		for p := range l.Promised() {
			inParts += len(p.Later)
		}
		if l.nodes > 1 {
			lost++
			l.lose()
			audit(l)
		}
	})
	if promised < refused/9 || refused < promised/9 || inParts == 0 || lost == 0 {
		t.Errorf("%d promised, %d refused, %d later parts, %d nodes lost", promised, refused, inParts, lost)
	}
}
