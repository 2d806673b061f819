package harvest

import (
	"fmt"
	"iter"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy decides on standard jobs as the policy that it wraps, and gives the others what those leave.
type Policy struct{ policy.Policy }

// String returns the name of the wrapped policy.
func (p Policy) String() string { return fmt.Sprint(p.Policy) }

// Ticks reports whether the wrapped policy decides periodically.
func (p Policy) Ticks() bool {
	periodic, ok := p.Policy.(interface{ Ticks() bool })
	return ok && periodic.Ticks()
}

// Refusals are those of the wrapped policy among standard jobs. No others are refused.
func (p Policy) Refusals(v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	var standard []*cluster.Job
	for _, j := range jobs {
		if j.Spec.Class == cluster.StandardClass {
			standard = append(standard, j)
		}
	}
	return policy.Refusals(p.Policy, v, standard)
}

// Decide decides on the standard jobs first. Without others, the decision is that of the wrapped policy. If the store
// has no room for what standard jobs and others save, it decides again with room reserved for the others.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	jobs := others(v)
	if len(jobs) == 0 {
		return p.Policy.Decide(v)
	}
	d := p.attempt(v, jobs, pin(v, jobs, false))
	if !saves(v, d) {
		d = p.attempt(v, jobs, pin(v, jobs, true))
	}
	return d
}

// attempt decides with a part of the store, in bytes, reserved for the others that are not pinned.
func (p Policy) attempt(v *cluster.View, jobs []*job, reserve cluster.Bytes) policy.Decision {
	d := p.Policy.Decide(v.Standard(pinned(jobs), reserve))
	f := newField(v, d)
	f.keep(jobs)
	f.place(jobs)
	f.rise(jobs)
	d.Target, d.Why = targetOf(d.Target, jobs), policy.News(v, policy.Both(d.Why, f.why(jobs)))
	return d
}

// saves reports whether the store has room for all jobs that the decision pauses.
func saves(v *cluster.View, d policy.Decision) bool {
	var needed cluster.Bytes
	for id, change := range d.Target.Since(v.TargetAll()) {
		if change[1] == nil {
			needed += v.Saving(v.Job(id))
		}
	}
	return needed == 0 || needed <= v.Spare()
}

// others returns the jobs of other classes that may be placed, by id.
func others(v *cluster.View) (jobs []*job) {
	for j := range v.Others() {
		if count := j.Live(); count > 0 && v.Candidate(j) {
			jobs = append(jobs, &job{Job: j, view: v, count: count, charge: v.Charge(j.Spec), held: v.Target(j.ID)})
		}
	}
	return jobs
}

// pin marks the jobs that cannot give way: they are stuck, or the store has no room for them. If they are to reserve
// room, that is the room once the later ones have been paused, and pin returns what they reserve, in bytes.
func pin(v *cluster.View, jobs []*job, reserves bool) (reserve cluster.Bytes) {
	room := v.Spare()
	for _, j := range slices.Backward(jobs) {
		j.nodes = nil
		if j.held == nil {
			continue
		}
		saves := v.Saving(j.Job)
		if j.pinned = v.Stuck(j.Job) || saves > 0 && saves > room-reserve; !j.pinned && reserves {
			reserve += saves
		}
	}
	return reserve
}

func pinned(jobs []*job) (list []*cluster.Job) {
	for _, j := range jobs {
		if j.pinned {
			list = append(list, j.Job)
		}
	}
	return list
}

// targetOf returns the allocation of the standard jobs with the placements of the others.
func targetOf(standard cluster.Allocation, jobs []*job) cluster.Allocation {
	target := standard.Clone()
	for _, j := range jobs {
		if j.nodes != nil {
			target.Set(j.ID, j.placement())
		}
	}
	return target
}

// why yields the reasons of the jobs.
func (f *field) why(jobs []*job) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		for _, j := range jobs {
			r := f.reason(j)
			if r.Job = j.ID; !tell(r) {
				return
			}
		}
	}
}
