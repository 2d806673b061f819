package reserve

import (
	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// site is the nodes during a decision that answers jobs.
type site struct {
	surveyed bool
	known    int          // nodes in any condition
	open     calendar.Set // that take new tasks, and on which no job without a promise has a task
	whole    bool         // open is all nodes
	least    cluster.Offer
	slowest  cluster.Speed
}

// survey looks at all nodes. A job that held nodes before the policy came into force has no promise. Nothing is known
// of its end, so its nodes are promised to nobody while it is there.
func (d *decision) survey() {
	d.surveyed, d.whole, d.open = true, true, calendar.Set{} // not nil, which is all
	taken := calendar.Set{}
	for id, p := range d.view.TargetAll().All() {
		if d.view.Promises().Of(id) == nil {
			for _, n := range p.Nodes {
				taken.Add(n)
			}
		}
	}
	for n := range d.view.Nodes() {
		if c := n.Description; d.known == 0 {
			d.least, d.slowest = cluster.Offer{CPU: c.CPU, Memory: c.Memory}, c.Speed.Known()
		} else {
			d.least.CPU, d.least.Memory = min(d.least.CPU, c.CPU), min(d.least.Memory, c.Memory)
			d.slowest = min(d.slowest, c.Speed.Known())
		}
		if d.known++; d.view.Condition(n) == cluster.NodeOpen && !taken.Has(n.ID) {
			d.open.Add(n.ID)
		} else {
			d.whole = false
		}
	}
}

// among returns the nodes that may be promised to the job, nil if these are all, and how many could ever take a task.
func (d *decision) among(j *cluster.Job) (set calendar.Set, able int) {
	if !d.surveyed {
		d.survey()
	}
	charge, s := d.view.Charge(j.Spec), j.Spec
	small := s.Need <= d.least.CPU && charge <= d.least.Memory && d.slowest.Ceiling(s.Need) == s.Need
	if small && !s.Choosy() {
		if d.whole {
			return nil, d.known
		}
		return d.open, d.known
	}
	set = calendar.Set{}
	for n := range d.view.Nodes() {
		if c := n.Description; !d.view.Allows(n, s, "") || s.Need > c.CPU || charge > c.Memory || n.Ceiling(s) < s.Need {
			continue
		}
		if able++; d.open.Has(n.ID) {
			set.Add(n.ID)
		}
	}
	return set, able
}
