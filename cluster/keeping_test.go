package cluster

import (
	"testing"

	"pgregory.net/rapid"
)

// unbound lets root be promised all of the nodes.
var unbound = Quota{Owner: "root", Most: Use{CPU: 1_000_000, Memory: 1 << 40}}

// The world's own checks look for promises that are not kept, and for those that exceed a node.
func TestWhatIsPromisedIsKeptUntilItIsSaidThatItCannotBe(t *testing.T) {
	heard := map[EventKind]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.heard = func(e Event) { heard[e.Kind]++ }
		w.must(SetQuota{unbound})
		for _, name := range []string{"a", "b", "c"} {
			w.must(Join{name, "boot", Description{CPU: 2000, Memory: 300 * MiB}, 0})
			w.must(Report{Node: w.s.NodeNamed(name).ID, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB})
		}
		all, some := w.actions(), map[string]func(*rapid.T){}
		for _, name := range []string{"submit", "adopt", "move", "obey", "befall", "cancel", "wish", "health", "join"} {
			some[name] = all[name]
		}
		some["reserve"] = func(t *rapid.T) { w.T = t; w.reserve() }
		some["wait"] = func(t *rapid.T) { w.T = t; w.wait(Time(w.int(1, 40, "seconds")) * Second) }
		some["set time"] = func(t *rapid.T) { w.T = t; w.apply(SetTime{w.s.Now + Time(w.int(-60, 60, "time"))*Second}) }
		t.Repeat(some)
	})
	for _, kind := range []EventKind{JobPromised, JobRepromised, JobPromiseBroken, JobOverran} {
		if heard[kind] == 0 {
			t.Errorf("%s never happens", kind)
		}
	}
}

func TestAnOwnerMayHaveAHundredPromises(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	for i := range maxOfOwner {
		j := &Job{ID: JobID(i + 1), Spec: &Spec{Owner: "root", Need: 1, Tasks: 1}}
		s.jobs.put(j)
		s.keep(&Promise{Job: j.ID, From: Hour, Until: 2 * Hour})
	}
	spec := Spec{Owner: "root", Need: 1, Tasks: 1, Requirement: Requirement{MiB}, Reserve: &Reservation{Hour, Hour}}
	if r := s.Unbookable(&spec); r == nil || r.Code != CodeLimit {
		t.Errorf("one more: %v", r)
	}
	if spec.Owner = "ann"; s.Unbookable(&spec).Code != CodeNoPromise {
		t.Error("another owner's is not judged by the nodes")
	}
}

// reserve asks for an interval that begins soon.
func (w *world) reserve() {
	spec := w.spec()
	spec.Class = StandardClass
	spec.Reserve = &Reservation{w.s.Now + w.s.lead(spec) + Time(w.int(0, 20, "start"))*Second,
		Time(w.int(1, 60, "lasts")) * Second}
	w.apply(Submit{spec})
}

// wait lets time pass.
func (w *world) wait(d Time) {
	w.s.Apply(w.s.Revision+1, Command{At: w.s.Now + d, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch,
		Action: Checkpoint{}})
	if err := w.s.Check(); err != nil {
		w.Fatalf("after %v s: %v", d.Seconds(), err)
	}
}
