package dfrs_test

import (
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestAJobThatLacksCPUForItsLeastYieldDoesNotWaitForMemory(t *testing.T) {
	for _, name := range []string{"/per", "MCB8 */per", "GreedyPM */stable", "Greedy *"} {
		for _, fits := range []bool{true, false} {
			p, err := catalog.Parse(name, cluster.Minute)
			if err != nil {
				t.Fatal(err)
			}
			w := policytest.NewWorld(t, p)
			w.Join("n1", cluster.Description{CPU: 1000, Memory: 700 * cluster.MiB})
			floor := cluster.Spec{Tasks: 1, Need: 1000, MinYield: cluster.Whole * 6 / 10,
				Requirement: cluster.Requirement{Memory: 32 * cluster.MiB}}
			if !fits {
				floor.Requirement.Memory = 400 * cluster.MiB
			}
			w.Submit(floor)
			w.Decide()
			w.Settle()
			w.Submit(floor)
			for range 2 {
				w.Clock += cluster.Minute
				w.Decide()
				for j := range w.Jobs() {
					if lacksCPU := j.Why.Code == cluster.WhyNoCPU; w.Target(j.ID) == nil && lacksCPU != fits {
						t.Errorf("%s, memory for both: %v: %v", name, fits, j.Why)
					}
				}
			}
		}
	}
}

func TestAJobThatIsPausedForTheFloorOfAnotherMadeRoomInCPUAndNotInMemory(t *testing.T) {
	for memory, values := range map[cluster.Bytes][]int64{32 * cluster.MiB: {2, 1}, 400 * cluster.MiB: {2}} {
		p, err := catalog.Parse("GreedyP *", cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		w := policytest.NewWorld(t, p)
		w.Join("n1", cluster.Description{CPU: 1000, Memory: 700 * cluster.MiB})
		spec := cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: memory}}
		w.Submit(spec)
		w.Decide()
		w.Settle()
		w.Clock += cluster.Minute
		spec.MinYield = cluster.Whole
		w.Submit(spec)
		w.Decide()
		if why := w.Job(1).Why; why.Code != cluster.WhyPausedFor || !slices.Equal(why.Values, values) {
			t.Errorf("%v each: %v", memory, why)
		}
	}
}

func TestAJobThatIsMovedForTheFloorOfAnotherMadeRoomInCPUAndNotInMemory(t *testing.T) {
	for memory, values := range map[cluster.Bytes][]int64{32 * cluster.MiB: {3, 1}, 250 * cluster.MiB: {3}} {
		p, err := catalog.Parse("GreedyPM *", cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		w := policytest.NewWorld(t, p)
		w.Join("n1", cluster.Description{CPU: 1000, Memory: 700 * cluster.MiB})
		w.Join("n2", cluster.Description{CPU: 1000, Memory: 700 * cluster.MiB})
		spec := cluster.Spec{Tasks: 1, Need: 600, MinYield: cluster.Whole / 2,
			Requirement: cluster.Requirement{Memory: memory}}
		w.Submit(spec)
		w.Submit(spec)
		w.Decide()
		w.Settle()
		w.Clock += cluster.Minute
		w.Submit(cluster.Spec{Tasks: 1, Need: 1000, MinYield: cluster.Whole * 8 / 10,
			Requirement: cluster.Requirement{Memory: 2 * memory}})
		w.Decide()
		moved := 0
		for id := range cluster.JobID(2) {
			if why := w.Job(id + 1).Why; why.Code == cluster.WhyMovedFor {
				moved++
				if !slices.Equal(why.Values, values) {
					t.Errorf("%v: j%d: %v", memory, id+1, why)
				}
			}
		}
		if moved != 1 {
			t.Errorf("%v: %v, %v", memory, w.Job(1).Why, w.Job(2).Why)
		}
	}
}

func TestAJobThatIsPausedForTheFloorOfAnotherOwnersJobMadeRoomInCPU(t *testing.T) {
	p, err := catalog.Parse("GreedyP *", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	w.Join("n1", cluster.Description{CPU: 1000, Memory: 700 * cluster.MiB})
	spec := cluster.Spec{Tasks: 1, Need: 1000, Owner: "ben",
		Requirement: cluster.Requirement{Memory: 32 * cluster.MiB}}
	for range 3 {
		w.Submit(spec)
	}
	w.Decide()
	w.Settle()
	w.Clock += cluster.Minute
	spec.Owner, spec.MinYield = "ann", cluster.Whole
	w.Submit(spec)
	w.Decide()
	shared := 0
	for id := range cluster.JobID(3) {
		if why := w.Job(id + 1).Why; why.Code == cluster.WhyPausedShare {
			shared++
			if !slices.Equal(why.Values, []int64{4, 1}) {
				t.Errorf("j%d: %v", id+1, why)
			}
		}
	}
	if shared == 0 {
		t.Errorf("none is paused for a share: %v %v %v", w.Job(1).Why, w.Job(2).Why, w.Job(3).Why)
	}
	spec.Owner = "ben"
	w.Submit(spec)
	w.Decide()
	if why := w.Job(1).Why; why.Code != cluster.WhyNoCPU || !slices.Equal(why.Values, []int64{10, 0, 1, 500}) {
		t.Errorf("beyond the share of its owner it waits: %v", why)
	}
}
