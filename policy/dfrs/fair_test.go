package dfrs_test

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// shared returns a world of one node on which an owner runs some jobs of 16 MiB each.
func shared(t *testing.T, policy, owner string, memory, jobs int) *policytest.World {
	w := policytest.NewWorld(t, parse(t, policy))
	w.Join("n1", cluster.Description{CPU: 100_000, Memory: cluster.Bytes(memory) * cluster.MiB})
	tiny(w, owner, jobs)
	w.Clock += 10 * cluster.Minute
	return w
}

// tiny submits jobs of 16 MiB each.
func tiny(w *policytest.World, owner string, jobs int) {
	for range jobs {
		w.Submit(cluster.Spec{Owner: owner, Tasks: 1, Need: 10,
			Requirement: cluster.Requirement{Memory: 16 * cluster.MiB}})
	}
	w.Decide()
	w.Settle()
}

// running counts the owner's jobs that hold a placement.
func running(w *policytest.World, owner string) (n int) {
	for j := range w.Jobs() {
		if j.Spec.Owner == owner && w.Target(j.ID) != nil {
			n++
		}
	}
	return n
}

func TestABurstOfOneOwnerPausesNoJobOfAnother(t *testing.T) {
	for _, policy := range []string{"GreedyP *", "GreedyPM */per", "GreedyPM */stable", "MCB8 *"} {
		w := shared(t, policy, "ann", 160, 3)
		tiny(w, "ben", 500)
		if n := running(w, "ann"); n != 3 {
			t.Errorf("%s: %d of ann's 3 jobs run on", policy, n)
		}
		if n := running(w, "ben"); n != 7 {
			t.Errorf("%s: ben runs %d jobs in the 7 places that are left", policy, n)
		}
	}
}

// An owner whose jobs all run keeps what is within the share, another who comes gets it, and no place stays empty.
func TestEachOwnerKeepsAndGetsItsShare(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		places := 2 * rapid.IntRange(1, 10).Draw(r, "half of the places")
		first, second := rapid.IntRange(1, places).Draw(r, "first"), rapid.IntRange(1, 25).Draw(r, "second")
		w := shared(t, rapid.SampledFrom([]string{"GreedyP *", "MCB8 *"}).Draw(r, "policy"), "ann", 16*places, first)
		tiny(w, "ben", second)
		ann, ben := running(w, "ann"), running(w, "ben")
		if ann < min(first, places/2) || ben < min(second, places/2) {
			r.Fatalf("of %d places, ann has %d for %d jobs, and ben %d for %d", places, ann, first, ben, second)
		}
		if want := min(places, first+second); ann+ben != want {
			r.Fatalf("of %d places, %d are used by %d jobs", places, ann+ben, first+second)
		}
	})
}

// pauses counts how often running jobs stop within so many ticks.
func pauses(w *policytest.World, ticks int) (n int) {
	for range ticks {
		before := map[cluster.JobID]bool{}
		for id := range w.TargetAll().All() {
			before[id] = true
		}
		w.Clock += period
		w.Decide()
		w.Settle()
		for id := range before {
			if w.Target(id) == nil {
				n++
			}
		}
	}
	return n
}

// Jobs of one owner take turns as their priorities change. Those of two who have their shares do so no more often.
func TestOwnersWhoHaveTheirSharesDoNotTakeTurns(t *testing.T) {
	turns := func(first, second string) int {
		w := shared(t, "GreedyPM */stable", first, 64, 4)
		tiny(w, second, 4)
		return pauses(w, 1000)
	}
	if one, two := turns("ann", "ann"), turns("ann", "ben"); two > 2*one+16 {
		t.Errorf("in 1000 ticks jobs of two owners are paused %d times, those of one %d times", two, one)
	}
}

func TestAJobThatFitsNowhereTakesNoShareFromItsOwnersOtherJobs(t *testing.T) {
	for _, policy := range []string{"GreedyPM */per", "GreedyPM */stable"} {
		w := shared(t, policy, "ann", 64, 4)
		w.Submit(cluster.Spec{Owner: "ann", Tasks: 1, Need: 10, Requirement: cluster.Requirement{Memory: 80 * cluster.MiB}})
		w.Decide()
		tiny(w, "ben", 2)
		tiny(w, "cat", 2)
		runs := false
		for range 100 {
			pauses(w, 1)
			runs = runs || running(w, "ann") > 0
		}
		if !runs {
			t.Errorf("%s: in 100 ticks no job of ann runs", policy)
		}
	}
}
