package catalog

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// Measured speeds and those learnt of classes are for people: nodes that are alike stay alike.
func TestMeasuredAndLearntSpeedsChangeNoDecision(t *testing.T) {
	for _, name := range Names() {
		if !Live(name) {
			continue
		}
		before, none := decisions(t, name, func(int, *cluster.Description) {})
		after, learnt := decisions(t, name, func(n int, d *cluster.Description) {
			d.Measured, d.Class = cluster.Speed(400*n), fmt.Sprint("class ", n/3)
		})
		if none > 0 || learnt == 0 {
			t.Errorf("%s: %d speeds are learnt, and %d without classes", name, learnt, none)
		}
		if before != after {
			t.Errorf("%s: with speeds it decides\n%swithout\n%s", name, after, before)
		}
	}
}

// decisions returns what is decided while jobs of one type come and end on three nodes, and how many speeds are learnt.
func decisions(t *testing.T, name string, describe func(n int, d *cluster.Description)) (text string, learnt int) {
	p, err := Parse(name, period)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	for n := 1; n <= 3; n++ {
		d := cluster.Description{CPU: 2000, Memory: 1024 * cluster.MiB, Cores: 2}
		describe(n, &d)
		w.Join(fmt.Sprint("n", n), d)
	}
	var out strings.Builder
	for round := range cluster.Time(8) {
		for range 2 {
			w.Submit(cluster.Spec{Tasks: 2, Need: 900, Requirement: cluster.Requirement{Memory: 128 * cluster.MiB},
				Type: "count", Estimate: cluster.Hour})
		}
		w.Decide()
		w.Settle()
		for id, p := range w.Look().TargetAll().All() {
			fmt.Fprintf(&out, "%d: %v has %+v\n", round, id, *p)
		}
		w.Clock += (round + 1) * cluster.Minute
		end(w)
	}
	for range w.LearntSpeeds() {
		learnt++
	}
	return out.String(), learnt
}

// end ends the first job of which all tasks run.
func end(w *policytest.World) {
	for j := range w.Jobs() {
		running := true
		for i := range j.Tasks {
			running = running && j.Tasks[i].Phase == cluster.Running
		}
		if running {
			for i := range j.Tasks {
				w.End(cluster.TaskID{Job: j.ID, Index: i})
			}
			return
		}
	}
}
