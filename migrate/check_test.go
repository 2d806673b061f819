package migrate

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

// swap returns a cluster in which j1 on n1 and j2 on n2 are to change places, and j3 is to start on n3.
func swap(t *testing.T) *world {
	w := newWorld(t.Fatalf)
	for _, name := range []string{"n1", "n2", "n3"} {
		w.join(name, cluster.Description{CPU: 4000, Memory: 2 * unit})
	}
	var set []cluster.Holding
	for i := range 3 {
		j := w.submit(1, 1000, 2*unit)
		if i < 2 {
			w.bring(cluster.TaskID{Job: j.ID}, cluster.Running, cluster.NodeID(1+i), 500)
		}
		to := []cluster.NodeID{2, 1, 3}[i]
		set = append(set, cluster.Holding{Job: j.ID, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(500),
			Nodes: []cluster.NodeID{to}}})
	}
	w.must(cluster.Adopt{Basis: w.s.Revision, Set: set})
	return w
}

func TestCheckRefusesWrongPlans(t *testing.T) {
	j1, j2, j3 := cluster.TaskID{Job: 1}, cluster.TaskID{Job: 2}, cluster.TaskID{Job: 3}
	pause1 := Step{Move: cluster.Move{Kind: cluster.Pause, Task: j1, From: 1}}
	resume1 := func(after ...int) Step {
		return Step{Move: cluster.Move{Kind: cluster.Resume, Task: j1, To: 2, CPU: 500}, After: after}
	}
	move2 := func(after ...int) Step {
		return Step{Move: cluster.Move{Kind: cluster.Migrate, Task: j2, From: 2, To: 1, CPU: 500}, After: after}
	}
	start3 := Step{Move: cluster.Move{Kind: cluster.Start, Task: j3, To: 3, CPU: 500}}
	for _, c := range []struct {
		name  string
		steps []Step
		store cluster.Bytes
		want  string // "": the plan is right
	}{
		{"right", []Step{pause1, move2(0), resume1(0, 1), start3}, 2 * unit, ""},
		{"right in another order", []Step{start3, pause1, move2(1), resume1(2)}, 2 * unit, ""},
		{"does not wait for the memory", []Step{pause1, move2(), resume1(0, 1), start3}, 2 * unit,
			"step 1, migrate of j2/0: needs 64Mi on node 1, which has 0Mi free"},
		{"waits for the wrong step", []Step{pause1, start3, move2(1), resume1(0, 2)}, 2 * unit,
			"step 2, migrate of j2/0: needs"},
		{"waits for itself", []Step{pause1, move2(1), resume1(0, 1), start3}, 2 * unit,
			"waits for step 1, which is not before it"},
		{"has no room in the store", []Step{pause1, move2(0), resume1(0, 1), start3}, unit,
			"needs 64Mi in the store, which has 32Mi free"},
		{"resumes what was not paused", []Step{move2(), pause1, resume1(0), start3}, 2 * unit, "needs 64Mi on node 1"},
		{"resumes before the pause has ended", []Step{pause1, resume1(), move2(0), start3}, 2 * unit,
			"step 1, resume of j1/0: from node 0 to 2, but the task is running on node 1"},
		{"starts twice", []Step{start3, start3, pause1, move2(2), resume1(2, 3)}, 2 * unit, "needs 64Mi on node 3"},
		{"forgets a task", []Step{pause1, move2(0), resume1(0, 1)}, 2 * unit,
			"j3/0 ends idle on node 0 at 0m, which is not its target"},
		{"stops half way", []Step{pause1, move2(0), start3}, 2 * unit, "j1/0 ends saved"},
		{"moves the unknown", []Step{{Move: cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: 9}, To: 3}}},
			2 * unit, "does not exist"},
		{"sends to the unknown", []Step{{Move: cluster.Move{Kind: cluster.Start, Task: j3, To: 9}}}, 2 * unit,
			"node 9 is not ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := swap(t)
			w.store = c.store
			w.report(1)
			w.report(2)
			w.report(3)
			err := Plan{Steps: c.steps}.Check(w.view())
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestCheckRefusesToMoveATaskThatIsMoving(t *testing.T) {
	w := swap(t)
	w.start(cluster.Start, cluster.TaskID{Job: 3}, 3, 500)
	err := Plan{Steps: []Step{{Move: cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: 3}, To: 3}}}}.Check(
		w.view())
	if err == nil || !strings.Contains(err.Error(), "is being moved") {
		t.Errorf("got %v", err)
	}
}
