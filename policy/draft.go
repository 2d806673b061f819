package policy

import (
	"slices"

	"aliquot/cluster"
)

// Draft is a decision in the making.
type Draft struct {
	Target   cluster.Allocation
	Refusals []cluster.Refusal
	Reasons  []cluster.Reason
	Explains bool // reasons are recorded

	cloned bool                  // Target is a private copy that may be changed
	told   map[cluster.JobID]int // indices of Reasons
}

// Hold makes the placement the job's target; nil removes the present one.
func (d *Draft) Hold(id cluster.JobID, p *cluster.Placement) {
	if !d.cloned {
		d.Target, d.cloned = d.Target.Clone(), true
	}
	if p == nil {
		d.Target.Delete(id)
	} else {
		d.Target.Set(id, p)
	}
}

// Refuse ends a job that can never run.
func (d *Draft) Refuse(j *cluster.Job, code cluster.ReasonCode, values ...int64) {
	d.Refusals = append(d.Refusals,
		cluster.Refusal{Job: j.ID, Reason: cluster.Reason{Job: j.ID, Code: code, Values: values}})
}

// Refused reports whether the decision refuses the job.
func (d *Draft) Refused(id cluster.JobID) bool {
	return slices.ContainsFunc(d.Refusals, func(r cluster.Refusal) bool { return r.Job == id })
}

// Explain records the reason of a job's state, in place of an earlier one.
func (d *Draft) Explain(j *cluster.Job, code cluster.ReasonCode, values ...int64) {
	if !d.Explains {
		return
	}
	r := cluster.Reason{Job: j.ID, Code: code, Values: slices.Clone(values)}
	if i, before := d.told[j.ID]; before {
		d.Reasons[i] = r
		return
	}
	if d.told == nil {
		d.told = map[cluster.JobID]int{}
	}
	d.told[j.ID] = len(d.Reasons)
	d.Reasons = append(d.Reasons, r)
}
