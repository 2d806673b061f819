package dfrs_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// Two jobs share the first node, and the second is empty: the next tick spreads them, and no other alarm does.
func TestAPromiseFallingDueDoesNotPackAnew(t *testing.T) {
	for _, name := range []string{"Greedy */per", "GreedyPM */per/opt=avg", "/per", "MCB8/per", "/stretch-per/opt=max",
		"GreedyPM */stable"} {
		t.Run(name, func(t *testing.T) {
			w := policytest.NewWorld(t, parse(t, name))
			for _, node := range []string{"n1", "n2"} {
				w.Join(node, cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
			}
			for range 4 {
				w.Submit(cluster.Spec{Tasks: 1, Need: 600, Requirement: cluster.Requirement{Memory: 20 * cluster.MiB}})
			}
			w.Decide()
			w.Settle()
			for j := range w.Jobs() {
				if w.Target(j.ID).Nodes[0] == 2 {
					w.End(cluster.TaskID{Job: j.ID})
				}
			}
			w.Clock = 7 * cluster.Second
			w.Decide()
			before := w.TargetAll()
			tick := w.Agenda.Next(cluster.AlarmTick)
			promise := cluster.Alarm{At: w.Clock + cluster.Second, Kind: cluster.AlarmPromise, Job: 1}
			w.Agenda = cluster.NewAgenda(append(w.Agenda, promise))
			if w.Clock = w.Look().WakeAt(); w.Clock != promise.At || !w.Look().Pending().Rings(cluster.AlarmPromise) {
				t.Fatalf("it wakes at %d, not for the promise at %d", w.Clock, promise.At)
			}
			w.Decide()
			for id, change := range w.TargetAll().Since(before) {
				t.Errorf("a promise fell due, and %v holds %+v instead of %+v", id, change[1], change[0])
			}
			if next := w.Agenda.Next(cluster.AlarmTick); next != tick {
				t.Errorf("a promise fell due, and the tick is at %d instead of %d", next, tick)
			}
			w.Clock = tick
			w.Decide()
			moved := 0
			for range w.TargetAll().Since(before) {
				moved++
			}
			if moved == 0 {
				t.Error("the tick packs nothing anew: there was nothing that the promise could have done")
			}
		})
	}
}
