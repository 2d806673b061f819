package tiered

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/calendar"
)

// refuse refuses a job that can never run: one without an estimate, or one with more tasks than there are processors of
// nodes, up or not, that could take one.
func (d *decision) refuse(j *cluster.Job) {
	switch able, known := d.possible(j); {
	case j.Started != 0:
	case d.view.Forecast(j).Processing == 0:
		d.Refuse(j, cluster.WhyNoEstimate)
	case known > 0 && able < j.Live():
		d.Refuse(j, d.tooFew(), int64(able), int64(j.Live()))
	}
}

// possible returns the number of processors that could take a task of the job if their nodes were up and free, and that
// of all nodes that the job may use.
func (d *decision) possible(j *cluster.Job) (able, known int) {
	charge := d.view.Charge(j.Spec)
	if charge <= d.least.Memory && j.Spec.Need <= d.least.CPU && !choosy(j.Spec) && !d.spread(j.Spec) {
		return d.known, d.known
	}
	for n := range d.view.Nodes() {
		if !n.Allows(j.Spec, "") {
			continue
		}
		slots := n.Description.Slots()
		places := slots
		if j.Spec.Placement.Spread {
			places = 1
		}
		known += places
		if n.Description.Memory >= charge && each(n, slots) >= j.Spec.Need {
			able += places
		}
	}
	return able, known
}

// explainWait records why a job is not in the foreground. One that runs in the background keeps its reason.
func (d *decision) explainWait(h *holder, r *request) {
	if !d.Explains || h.placement != nil || slices.Contains(d.evicted, r.ID) {
		return
	}
	switch {
	case d.head == r.ID && d.booked:
		wait := (d.shadow - r.Submitted + cluster.Second - 1) / cluster.Second
		d.Explain(r.Job, d.promised(), int64(d.idle), int64(r.tasks), int64(wait))
	case d.head == 0:
		d.Explain(r.Job, cluster.WhyNoNode, policy.NoNode(d.view, r.tasks).Values...)
	case r.tasks > d.idle || d.shadow == calendar.Never:
		d.Explain(r.Job, d.noFree(), int64(d.idle), int64(r.tasks))
	default:
		d.Explain(r.Job, cluster.WhyWouldDelay, int64(d.head))
	}
}

// noFree returns the code for why a job waits, with the numbers of places that could take a task now and of its tasks.
func (d *decision) noFree() cluster.ReasonCode {
	if d.slotted {
		return cluster.WhyNoFreeCores
	}
	return cluster.WhyNoFreeNode
}

// promised returns the code for why a job waits that is promised a start. Its first numbers are those of noFree.
func (d *decision) promised() cluster.ReasonCode {
	if d.slotted {
		return cluster.WhyPromisedCores
	}
	return cluster.WhyPromised
}

// tooFew returns the code for why a job can never run, with the numbers of places for it and of its tasks.
func (d *decision) tooFew() cluster.ReasonCode {
	if d.slotted {
		return cluster.WhyTooFewCores
	}
	return cluster.WhyTooFewNodes
}
