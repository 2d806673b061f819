package sim

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

const weighing = "GreedyPM */stable"

// watched is a policy whose decisions are examined before they are adopted.
type watched struct {
	policy.Policy
	look func(v *cluster.View, d policy.Decision)
}

func (w watched) Decide(v *cluster.View) policy.Decision {
	d := w.Policy.Decide(v)
	w.look(v, d)
	return d
}

// disturbed lists the running jobs that the decision moves or pauses.
func disturbed(v *cluster.View, d policy.Decision) (jobs []*cluster.Job) {
	for id, p := range v.TargetAll().All() {
		after := d.Target.Get(id)
		if after == nil || !slices.Equal(slices.Sorted(slices.Values(p.Nodes)), slices.Sorted(slices.Values(after.Nodes))) {
			jobs = append(jobs, v.Job(id))
		}
	}
	return jobs
}

func TestNobodyIsDisturbedWithinTheCoolDownWithoutAnOccasionThatForcesIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { quietTicks(t) })
}

// quietTicks counts the ticks at which nothing forces a move. It fails if one of them disturbs a job that has not
// cooled down.
func quietTicks(t *rapid.T) (ticks int) {
	jobs, nodes := drawStream(t)
	s := setup(t, nodes, weighing)
	s.Cost = rapid.SampledFrom([]Cost{Constant(300 * cluster.Second), Constant(cluster.Second), Bandwidth(0.1)}).Draw(t,
		"cost")
	s.Policy = watched{s.Policy, func(v *cluster.View, d policy.Decision) {
		if o := v.Pending(); len(o.Submitted) > 0 || o.Ended || o.NodesChanged {
			return
		}
		ticks++
		if urgent(v, d) {
			return
		}
		for _, j := range disturbed(v, d) {
			cost := v.Cost(j)
			coolDown := max(600*cluster.Second, 6*max(cost.ResumeTime, cost.MoveTime))
			if rest := v.At - max(j.Started, cost.LastMoved); rest < coolDown {
				t.Fatalf("at %v s %v is disturbed after %v s, its cool-down is %v s", v.At.Seconds(), j.ID, rest.Seconds(),
					coolDown.Seconds())
			}
		}
	}}
	if _, err := Run(s, jobs); err != nil {
		t.Fatal(err)
	}
	return ticks
}

// urgent reports whether the decision starts a job that has run for no longer than it takes to resume it.
func urgent(v *cluster.View, d policy.Decision) bool {
	for j := range v.Candidates() {
		if v.Target(j.ID) == nil && d.Target.Get(j.ID) != nil && j.VirtualTime(v.At) <= v.Cost(j).ResumeTime {
			return true
		}
	}
	return false
}

// While no job arrives, ends or waits, no mapping comes back. Once all jobs have run for an hour, and count alike, each
// adopted mapping has a larger sum of yields than the one before. So the cluster comes to rest, although a good plan
// may be found late.
func TestASteadyClusterMovesForALargerSumOfYieldsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { lastMove(t) })
}

func TestSteadyClustersAreMostlyAtRestAfterADay(t *testing.T) {
	late := 0
	for seed := range 100 {
		if rapid.Custom(lastMove).Example(seed) > 24*cluster.Hour {
			late++
		}
	}
	if t.Logf("of 100 clusters %d move later", late); late > 2 {
		t.Errorf("of 100 clusters %d move later", late)
	}
}

// lastMove returns the time from the last submission to the last move, or 0, of two days in which no job arrives or
// ends.
func lastMove(t *rapid.T) (last cluster.Time) {
	jobs, nodes := drawStream(t)
	for i := range jobs {
		jobs[i].Submit = min(jobs[i].Submit, cluster.Time(i)*cluster.Minute)
		jobs[i].Memory = workload.UnitMemory / 1000 // no job waits
		jobs[i].Runtime = 100_000 * cluster.Hour
	}
	s, enough := setup(t, nodes, weighing), fmt.Errorf("seen enough")
	begin := jobs[len(jobs)-1].Submit
	s.Policy = watched{s.Policy, func(v *cluster.View, d policy.Decision) {
		moved := disturbed(v, d)
		if len(moved) == 0 || v.At <= begin {
			return
		}
		last = v.At - begin
		if before, after := yields(v, v.TargetAll()), yields(v, d.Target); grown(v) && after <= before {
			t.Fatalf("at %v s %v moves, and the sum of yields comes from %v to %v: %v", v.At.Seconds(), moved[0].ID, before,
				after, d.Weighed)
		}
	}}
	s.Inspect = func(m *cluster.Model) error {
		if m.View().At > begin+48*cluster.Hour {
			return enough
		}
		return nil
	}
	if _, err := Run(s, jobs); err == nil {
		t.Fatal("the jobs have ended")
	}
	return last
}

// grown reports whether all running jobs have made an hour's progress.
func grown(v *cluster.View) bool {
	for id := range v.TargetAll().All() {
		if v.Job(id).VirtualTime(v.At) < cluster.Hour {
			return false
		}
	}
	return true
}

// yields returns the sum of the yields of an allocation.
func yields(v *cluster.View, a cluster.Allocation) (sum float64) {
	for id, p := range a.All() {
		sum += float64(p.Cap) / float64(v.Job(id).Spec.Need)
	}
	return sum
}

// Whether a plan is adopted follows from its numbers.
func TestPlansAreAdoptedIfAndOnlyIfTheyGainMoreThanTheyCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { plans(t) })
}

type verdicts struct{ adopted, declined int }

// plans counts the weighed plans that were adopted and declined. It fails if the verdict does not follow from their
// numbers.
func plans(t *rapid.T) (of verdicts) {
	jobs, nodes := drawStream(t)
	s := setup(t, nodes, weighing)
	s.Policy = watched{s.Policy, func(v *cluster.View, d policy.Decision) {
		o, w := v.Pending(), d.Weighed
		if due := o.Rings(cluster.AlarmTick); due != (w != nil) && !(v.At == 0 && v.NextTick() == 0) {
			t.Fatalf("at %v s due is %v, and weighed is %v", v.At.Seconds(), due, w)
		}
		if w == nil || w.Jobs == 0 {
			return
		}
		if w.Beneficial() {
			of.adopted++
		} else {
			of.declined++
		}
		waits := false
		for j := range v.Candidates() {
			waits = waits || v.Target(j.ID) == nil
		}
		alone := len(o.Submitted) == 0 && !o.Ended && !o.NodesChanged && !waits
		if moved := len(disturbed(v, d)); alone && (moved > 0) != w.Beneficial() ||
			alone && w.Beneficial() && moved != w.Jobs {
			t.Fatalf("at %v s %d jobs move: %v", v.At.Seconds(), moved, w)
		}
		if w.Beneficial() != (w.Gain >= cluster.Second && w.Gain > 2*w.Cost) {
			t.Fatal(w)
		}
	}}
	if _, err := Run(s, jobs); err != nil {
		t.Fatal(err)
	}
	return of
}

func TestDrawnStreamsHaveQuietTicksAndPlansOfBothKinds(t *testing.T) {
	ticks, all := 0, verdicts{}
	for seed := range 50 {
		ticks += rapid.Custom(quietTicks).Example(seed)
		of := rapid.Custom(plans).Example(seed)
		all.adopted, all.declined = all.adopted+of.adopted, all.declined+of.declined
	}
	t.Logf("%d quiet ticks, %+v", ticks, all)
	if ticks == 0 || all.adopted == 0 || all.declined == 0 {
		t.Errorf("%d quiet ticks, %+v: the laws say nothing about what never happens", ticks, all)
	}
}
