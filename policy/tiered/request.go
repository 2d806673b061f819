package tiered

import (
	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// next is the expected remaining time of a job that should have ended already: one instant.
const next = cluster.Microsecond

// request is the demand of a job that is not in the foreground.
type request struct {
	*cluster.Job
	tasks  int // tasks that have not ended
	charge cluster.Bytes
	lasts  cluster.Time             // its estimate
	allows func(*cluster.Node) bool // nil: every node that takes new tasks and is large enough
}

func (d *decision) request(j *cluster.Job) request {
	r := request{Job: j, charge: d.view.Charge(j.Spec), lasts: d.estimate(j)}
	choosy := j.Spec.Choosy()
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase != cluster.Done {
			r.tasks++
		}
		choosy = choosy || t.Platform != "" || t.Avoid != 0 || d.immobile && t.Present()
	}
	if choosy {
		r.allows = d.view.Allowing(j)
	}
	return r
}

// spread reports whether the job takes only one processor of each node.
func (d *decision) spread(s *cluster.Spec) bool { return d.slotted && s.Placement.Spread }

// estimate returns how long the job lasts in the foreground from the beginning; calendar.Never: unknown.
func (d *decision) estimate(j *cluster.Job) cluster.Time {
	if takes := d.view.Forecast(j).Processing; takes > 0 {
		return takes
	}
	return calendar.Never
}

// live returns the index of the i-th task that has not ended.
func (r *request) live(i int) int {
	if r.tasks == len(r.Tasks) {
		return i
	}
	for index := range r.Tasks {
		if r.Tasks[index].Phase == cluster.Done {
			continue
		}
		if i--; i < 0 {
			return index
		}
	}
	return 0
}
