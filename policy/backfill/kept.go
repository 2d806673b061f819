package backfill

import (
	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// takePromises lists the jobs whose promises are in force, and what these take of the nodes. The jobs count as holding
// that until they are expected to end.
func (d *decision) takePromises() {
	for _, p := range d.view.Kept() {
		j := d.view.Job(p.Job)
		held, end := p.Placement(j.Spec), d.gives(p, j)
		d.kept = append(d.kept, holder{id: j.ID, placement: &held, end: end})
		if d.keeps == nil {
			d.keeps = map[cluster.NodeID]keeping{}
		}
		for _, n := range held.Nodes {
			taken := d.keeps[n]
			taken.CPU += j.Spec.Need
			taken.Memory += d.view.Charge(j.Spec)
			taken.until = max(taken.until, end)
			d.keeps[n] = taken
		}
	}
}

// gives returns when the job of a promise in force is expected to give back what it was promised: at the end by its
// estimate, or at that of the promise if it is past its estimate or has none. The estimate of a job that reserves an
// interval counts from the begin of that, although its VMs start before.
func (d *decision) gives(p *cluster.Promise, j *cluster.Job) cluster.Time {
	takes := d.view.Forecast(j).Processing
	if takes <= j.VirtualTime(d.now) {
		return max(p.Until, d.now+next)
	}
	end := ends(j, takes, j.Spec.Need, max(d.now, p.From))
	if p.Work == 0 {
		end = max(end, calendar.After(p.From, takes))
	}
	return end
}
