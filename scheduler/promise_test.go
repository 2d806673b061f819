package scheduler

import (
	"testing"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy/catalog"
)

// Whatever the policy, a full cluster works on until a reservation falls due, then makes room for it, and goes on as
// before when it has ended.
func TestEveryPolicyKeepsAReservationAndLosesNothingBeforeIt(t *testing.T) {
	for _, name := range catalog.Names() {
		if !catalog.Live(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			w := newReserving(t, name)
			before, held := w.granted(), w.holding()
			due := w.reserved.Start - 40*cluster.Second
			w.until(due)
			if now := w.granted(); now < before {
				t.Errorf("%v were granted, and %v are before the reservation", before, now)
			}
			w.until(w.reserved.Start)
			w.runs(w.job)
			w.until(w.reserved.Start + w.reserved.Lasts - cluster.Second)
			w.runs(w.job)
			w.do(cluster.Cancel{Job: w.job})
			w.until(w.now + 2*cluster.Minute)
			for j := range w.s.Jobs() {
				if w.s.Target(j.ID) == nil && held[j.ID] != nil {
					t.Errorf("%v has nothing after the reservation: %v", j.ID, j.Why)
				}
			}
		})
	}
}

// reserving is a cluster of three nodes, full of jobs, with a reservation for half of it.
type reserving struct {
	*lab
	policy   func(*cluster.View) cluster.Action
	job      cluster.JobID
	reserved cluster.Reservation
}

func newReserving(t *testing.T, name string) *reserving {
	p, err := catalog.Parse(name, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	backoff := new(Backoff)
	w := &reserving{lab: newLab(t)}
	w.policy = func(v *cluster.View) cluster.Action {
		return backoff.Step(v, p, migrate.Limits{PerNode: 9, Total: 99, Store: 9})
	}
	for _, n := range []string{"n2", "n3"} {
		r := w.do(cluster.Join{Name: n, Boot: "1", Description: cluster.Description{CPU: 4000, Memory: 1024 * cluster.MiB}})
		w.do(cluster.Report{Node: r.Node, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	}
	w.do(cluster.SetPolicy{Name: name, Period: cluster.Minute})
	for range 6 {
		w.do(cluster.Submit{Spec: spec(1, 4000, nil)})
	}
	w.until(2 * cluster.Minute)
	w.reserved = cluster.Reservation{Start: w.now + 5*cluster.Minute, Lasts: 5 * cluster.Minute}
	w.job = w.do(cluster.Submit{Spec: spec(6, 1000, &w.reserved)}).Job
	return w
}

func spec(tasks int, need cluster.CPU, reserve *cluster.Reservation) *cluster.Spec {
	return &cluster.Spec{Image: image, Tasks: tasks, Need: need, Reserve: reserve, Estimate: cluster.Hour,
		Requirement: cluster.Requirement{Memory: 128 * cluster.MiB}}
}

// until lets time pass in steps of ten seconds, and nodes obey at once.
func (w *reserving) until(at cluster.Time) {
	w.Helper()
	for ; ; w.now = min(at, w.now+10*cluster.Second) {
		for range 20 {
			a := w.policy(w.s.View(w.now))
			if a == nil {
				break
			}
			w.do(a)
			w.obeyAll()
		}
		if w.now == at {
			return
		}
	}
}

// obeyAll lets the nodes carry out all moves under way.
func (w *reserving) obeyAll() {
	w.Helper()
	for n := range w.s.Nodes() {
		var seen []cluster.Observation
		for _, o := range w.s.Orders(n.ID).Runs {
			sight := map[cluster.Want]cluster.Sight{cluster.Stay: cluster.SeenRunning, cluster.Begin: cluster.SeenRunning,
				cluster.Restore: cluster.SeenRunning, cluster.Save: cluster.SeenSaved, cluster.Arrive: cluster.SeenArrived,
				cluster.Vanish: cluster.SeenAbsent}[o.Want]
			if sight != 0 {
				seen = append(seen, cluster.Observation{Run: o.Run, Move: o.Move, Seen: sight, Cap: o.CPU, Tier: o.Tier,
					Tiered: true, Image: cluster.MiB})
			}
		}
		w.do(cluster.Report{Node: n.ID, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, Observations: seen})
	}
}

// holding returns the placements of the jobs that have one.
func (w *reserving) holding() map[cluster.JobID]*cluster.Placement {
	held := map[cluster.JobID]*cluster.Placement{}
	for id, p := range w.s.TargetAll().All() {
		held[id] = p
	}
	return held
}

// granted returns the CPU that runs have in the foreground.
func (w *reserving) granted() (sum cluster.CPU) {
	for n := range w.s.Nodes() {
		sum += n.Load.Guaranteed
	}
	return sum
}

// runs fails unless all tasks of the job run with their full need, and no node guarantees more than it has.
func (w *reserving) runs(id cluster.JobID) {
	w.Helper()
	j := w.s.Job(id)
	for i := range j.Tasks {
		if task := &j.Tasks[i]; task.Phase != cluster.Running || task.Observed != j.Spec.Need {
			w.Errorf("task %d is %v with %v at %v s: %v", i, task.Phase, task.Observed, w.now.Seconds(), j.Why)
		}
	}
	for n := range w.s.Nodes() {
		if !n.Load.Fits(n.Capacity(), cluster.Load{}) {
			w.Errorf("node %s is to give %+v", n.Name, n.Load)
		}
	}
}
