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

// runs returns what is promised as runs of the exact test. A reservation has all of its interval to itself.
func (l *live) runs() (list []Run) {
	for p := range l.Promised() {
		j := &Job{ID: p.Job, Tasks: len(p.Nodes), Ready: p.From, Deadline: p.Until, Lasts: p.Until - p.From}
		if d := l.Job(p.Job).Spec.Deadline; d != nil {
			j.Ready, j.Deadline, j.Lasts = p.Ready, d.By, p.Work
		}
		list = append(list, j.fresh())
	}
	return list
}

// The exact test audits what a live cluster promises, at a stretch and in parts.
func TestAllThatALiveClusterPromisesPassesTheExactTest(t *testing.T) {
	promised, refused, inParts := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := newLive(t)
		for range rapid.IntRange(5, 30).Draw(t, "jobs") {
			if !l.ask() {
				refused++
				continue
			}
			if promised++; !flowKeeps(l.Now, l.nodes, l.runs(), nil) {
				t.Fatal("the exact test says that a promise is missed")
			}
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
		}
		for p := range l.Promised() {
			inParts += len(p.Later)
		}
	})
	if promised < refused/9 || refused < promised/9 || inParts == 0 {
		t.Errorf("%d promised, %d refused, %d later parts", promised, refused, inParts)
	}
}
