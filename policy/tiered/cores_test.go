package tiered_test

import (
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

// follow puts another policy in force.
func follow(t *testing.T, w *policytest.World, name string) {
	t.Helper()
	p, err := catalog.Parse(name, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	w.Policy = p
	w.Clock += cluster.Second
	w.Do(cluster.SetPolicy{Name: name, Period: cluster.Minute})
	w.Decide()
}

// bound returns the processors of the first tasks of the jobs, by id.
func bound(w *policytest.World) (cores []cluster.CoreID) {
	for _, p := range w.TargetAll().All() {
		cores = append(cores, p.Core(0))
	}
	return cores
}

// several returns a world with a node of two processors, and on it jobs that need so much, placed by cores.
func several(t *testing.T, needs ...cluster.CPU) *policytest.World {
	t.Helper()
	w := policytest.NewWorld(t, nil)
	w.Join("n1", cluster.Description{CPU: 4000, Memory: 1024 * cluster.MiB, Cores: 2})
	for _, need := range needs {
		w.Submit(cluster.Spec{Tasks: 1, Need: need, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB},
			Estimate: cluster.Hour})
	}
	follow(t, w, "EASY/cores")
	return w
}

func TestTasksOfAnEarlierPolicyAreBoundApartAndFreedByTheNext(t *testing.T) {
	w := several(t, 600, 600)
	for _, step := range []struct {
		policy string
		want   []cluster.CoreID
	}{{"MEASY", []cluster.CoreID{1, 2}}, {"EASY/cores", []cluster.CoreID{0, 0}}, {"attained", []cluster.CoreID{1, 2}}} {
		if follow(t, w, step.policy); !slices.Equal(bound(w), step.want) {
			t.Errorf("under %s tasks are bound to %v, want %v", step.policy, bound(w), step.want)
		}
	}
}

func TestTasksThatShareAProcessorPartWhenAnotherIsFree(t *testing.T) {
	w := several(t, 600, 600, 600)
	follow(t, w, "MEASY")
	if want := []cluster.CoreID{1, 2, 1}; !slices.Equal(bound(w), want) {
		t.Fatalf("three tasks on two processors: %v, want %v", bound(w), want)
	}
	w.Do(cluster.Cancel{Job: 2})
	w.Clock += cluster.Second
	w.Start()
	w.Decide()
	if got := bound(w); len(got) != 2 || got[0] == got[1] {
		t.Errorf("two tasks on two processors: %v", got)
	}
}

func TestATaskThatNeedsMoreThanACoreIsNotBoundToOne(t *testing.T) {
	w := several(t, 2500)
	follow(t, w, "MEASY")
	if p := w.Target(1); p == nil || p.Cores != nil || p.Cap != 2500 {
		t.Errorf("it holds %+v", p)
	}
}

func TestOrdersNameNoProcessorThatANodeHasNoMore(t *testing.T) {
	w := several(t, 600, 600)
	follow(t, w, "MEASY")
	w.Do(cluster.Join{Name: "n1", Boot: "boot", Description: cluster.Description{CPU: 4000, Memory: 1024 * cluster.MiB}})
	if got := []cluster.CoreID{w.Core(1, 0, 1), w.Core(2, 0, 1)}; !slices.Equal(got, []cluster.CoreID{0, 0}) {
		t.Errorf("a node that binds no VMs is to bind them to %v", got)
	}
	if w.Decide(); !slices.Equal(bound(w), []cluster.CoreID{0, 0}) {
		t.Errorf("decided anew: %v", bound(w))
	}
}

func TestVMsOfOthersLeaveProcessorsWhole(t *testing.T) {
	p, err := catalog.Parse("MEASY", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	w.Join("n1", cluster.Description{CPU: 4000, Memory: 1024 * cluster.MiB, Cores: 4})
	w.Do(cluster.Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: cluster.Bytes(1 << 40),
		Foreign: cluster.Foreign{CPU: 50}})
	for range 4 {
		w.Submit(cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB},
			Estimate: cluster.Hour})
	}
	w.Decide()
	above := 0
	for _, p := range w.TargetAll().All() {
		if p.Tier == cluster.Foreground {
			above++
		}
	}
	if above != 3 || len(bound(w)) != 4 {
		t.Errorf("of four jobs that need a core, %d are in the foreground of 3.95 cores, %d run", above, len(bound(w)))
	}
}
