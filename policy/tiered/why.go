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
	switch {
	case policy.Begun(j):
	case d.view.Forecast(j).Processing == 0:
		d.Refuse(j, cluster.WhyNoEstimate)
	default:
		d.refuseWide(j)
	}
}

// refuseWide refuses a job that is too wide.
func (d *decision) refuseWide(j *cluster.Job) {
	if able, wide := d.tooWide(j); wide && !policy.Begun(j) {
		d.Refuse(j, d.tooFew(), int64(able), int64(j.Live()))
	}
}

// tooWide reports whether the job has more tasks than there are processors of nodes, up or not, that could take one,
// and how many there are.
func (d *decision) tooWide(j *cluster.Job) (able int, wide bool) {
	able, known := d.possible(j)
	return able, known > 0 && able < j.Live()
}

// possible returns how many tasks of the job the nodes that it may use could take if they were up and free, and the
// number of these nodes.
func (d *decision) possible(j *cluster.Job) (able, known int) {
	charge, platform := d.view.Charge(j.Spec), policy.PlatformOf(j)
	if d.known > 0 && charge <= d.least.Memory && j.Spec.Need <= d.least.CPU && !j.Spec.Choosy() && !d.slotted &&
		platform == "" {
		return d.known, d.known
	}
	for n := range d.view.Nodes() {
		if !d.view.Allows(n, j.Spec, platform) {
			continue
		}
		known++
		if slots := n.Description.Slots(); each(n, slots) >= n.Ceiling(j.Spec) {
			able += fitting(j, charge, n, n.Description.Memory)
		}
	}
	return able, known
}

// explainWait records why a job is not in the foreground, of whose tasks the open nodes could take able if they were
// free. One that runs in the background keeps its reason.
func (d *decision) explainWait(h *holder, r *request, able int) {
	if !d.Explains || h.placement != nil || slices.Contains(d.evicted, r.ID) {
		return
	}
	ever, wide := 0, false
	if policy.Begun(r.Job) {
		ever, wide = d.tooWide(r.Job)
	}
	switch {
	case wide:
		d.Explain(r.Job, d.tooFew(), int64(ever), int64(r.Live()))
	case d.head == r.ID && d.booked:
		job, others := d.awaited()
		if d.shadow == d.now+next {
			d.Explain(r.Job, d.overdue(), int64(d.idle), int64(r.tasks), int64(job), others)
			return
		}
		wait := (d.shadow - r.Submitted + cluster.Second - 1) / cluster.Second
		d.Explain(r.Job, d.promised(), int64(d.idle), int64(r.tasks), int64(wait), int64(job), others)
	case d.head == 0:
		d.explainUnable(r, able)
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

// overdue returns the code for why a job waits whose start is only the next instant. Its first numbers are those of
// noFree.
func (d *decision) overdue() cluster.ReasonCode {
	if d.slotted {
		return cluster.WhyOverdueCores
	}
	return cluster.WhyOverdue
}

// awaited returns the first job that is expected to end at the shadow time on a processor that may serve the head, and
// how many others are.
func (d *decision) awaited() (first cluster.JobID, others int64) {
	for _, e := range d.ends {
		serves := false
		for i := range d.places(e.placement) {
			serves = serves || d.sites[i].promised
		}
		switch {
		case e.at != d.shadow || !serves:
		case first == 0:
			first = e.job
		default:
			others++
		}
	}
	return first, others
}

// tooFew returns the code for why a job can never run, with the numbers of places for it and of its tasks.
func (d *decision) tooFew() cluster.ReasonCode {
	if d.slotted {
		return cluster.WhyTooFewCores
	}
	return cluster.WhyTooFewNodes
}

// explainUnable records why the open nodes could take no more than able of a job's tasks, even without other jobs. A
// job that has run is not ended if the nodes are too few for it now.
func (d *decision) explainUnable(r *request, able int) {
	ever, wide := d.tooWide(r.Job)
	switch {
	case wide:
		d.Explain(r.Job, d.tooFew(), int64(ever), int64(r.Live()))
	case d.slotted && d.wideEverywhere(r.Job):
		d.Explain(r.Job, cluster.WhyWiderThanCore, int64(r.Spec.Need))
	case able > 0:
		d.Explain(r.Job, d.noFree(), int64(min(able, d.idle)), int64(r.tasks))
	default:
		d.Explain(r.Job, cluster.WhyNoNode, policy.NoNode(d.view, r.Job, r.tasks).Values...)
	}
}
