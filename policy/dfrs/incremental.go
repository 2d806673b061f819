package dfrs

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// increment is a decision about arrivals and departures when nothing else has happened. Greedy places arriving jobs
// by the sums that the state keeps per node. Only jobs whose shares can change are examined. The decision equals that
// of the board of all nodes and jobs.
type increment struct {
	view    *cluster.View
	news    cluster.Increment
	left    cluster.Vacancies
	placed  []placed         // by id
	nodes   []cluster.NodeID // nodes whose shares can change
	jobs    []cluster.JobID  // jobs whose shares can change
	refused refusals
}

// placed is an arriving job with its new nodes.
type placed struct {
	*cluster.Job
	nodes []cluster.NodeID
}

// decideIncrement returns a board of the nodes and jobs that the pending submissions and ends concern, with their new
// mapping and shares. It returns nil if the decision needs the board of all: something else has happened too, the
// target is not this policy's own work, a job is restricted to certain nodes or can start only at the cost of others,
// there is room for a waiting job, or the decision must be explained to waiting jobs.
func (p *Policy) decideIncrement(v *cluster.View, explain bool) *board {
	o := v.Pending()
	news, kept := v.Increment(p.title)
	if !kept || !p.incremental || o.NodesChanged || o.Rings(cluster.AlarmTick) || p.due(v, o) || news.Vacancies().Over() {
		return nil
	}
	d := &increment{view: v, news: news, left: news.Vacancies()}
	restarts := func() bool { return p.completion == greedy && d.restarts(o.Submitted) }
	if o.Ended && restarts() {
		return nil
	}
	for i, id := range o.Submitted {
		behind := i == 0 && !o.Ended // waiting jobs come after the first arrival, unless something ended before
		if !p.admits(d, v.Job(id)) || behind && restarts() {
			return nil
		}
	}
	if explain && d.waits() {
		return nil
	}
	d.gather()
	b := d.board()
	p.allot(b)
	return b
}

// isIncremental reports whether arrivals and departures can concern few jobs: the policy does not pack, and shares
// are max-min fair, so that changes spread only from one full node to the next.
func (p *Policy) isIncremental() bool {
	return p.submission != mcb8 && p.completion != mcb8 && p.opt == "min"
}

// admits places a submitted job or lets it wait. It reports false if that takes the board of all.
func (p *Policy) admits(d *increment, j *cluster.Job) bool {
	if d.view.Target(j.ID) != nil || !anywhere(j) {
		return false
	}
	return p.submission == none || d.start(j) || p.submission == greedy
}

// anywhere reports whether the job may run on every node where VMs may begin.
func anywhere(j *cluster.Job) bool {
	return !j.Spec.Choosy() && !slices.ContainsFunc(j.Tasks,
		func(t cluster.Task) bool {
			return t.Phase != cluster.Done && (t.Node != 0 || t.Platform != "" || t.Avoid != 0)
		})
}

// start places the job with Greedy and reports whether it fits.
func (d *increment) start(j *cluster.Job) bool {
	nodes, left := d.place(d.ask(j))
	if nodes == nil {
		return false
	}
	d.placed, d.left = append(d.placed, placed{j, nodes}), left
	return true
}

func (d *increment) ask(j *cluster.Job) request {
	return request{j.Live(), d.news.Room(j.Spec), j.Spec.Placement.Spread}
}

// place returns nodes for the request and the vacancies left afterwards; nil: there is not enough room.
func (d *increment) place(r request) (nodes []cluster.NodeID, left cluster.Vacancies) {
	left = d.left
	var taken []cluster.NodeID
	for range r.count {
		n := left.Least(r.room, taken)
		if n == 0 {
			return nil, d.left
		}
		left, nodes = left.Take(n, r.room), append(nodes, n)
		if r.spread {
			taken = nodes
		}
	}
	return nodes, left
}

// restarts reports whether a waiting job, other than those that arrive, may start.
func (d *increment) restarts(arriving []cluster.JobID) bool {
	for j := range d.news.Waiting() {
		if _, found := slices.BinarySearch(arriving, j.ID); found || !d.view.Candidate(j) {
			continue
		}
		if slices.ContainsFunc(j.Tasks, func(t cluster.Task) bool { return t.Node != 0 }) || d.fits(d.ask(j)) {
			return true
		}
	}
	return false
}

// fits reports whether there is room for the request. It treats every node as eligible.
func (d *increment) fits(r request) bool {
	if d.refused.cover(r) {
		return false
	}
	if nodes, _ := d.place(r); nodes != nil {
		return true
	}
	d.refused = d.refused.with(r)
	return false
}

// waits reports whether some job has to wait.
func (d *increment) waits() bool {
	for j := range d.news.Waiting() {
		_, starts := slices.BinarySearchFunc(d.placed, j.ID, func(p placed, id cluster.JobID) int {
			return cmp.Compare(p.ID, id)
		})
		if !starts && d.view.Candidate(j) {
			return true
		}
	}
	return false
}

// gather collects the jobs whose shares an arrival or departure can change. It starts from the nodes that were freed
// and from those that an arrival overloads. It adds all jobs on these nodes and, through the jobs, their other
// overloaded nodes.
func (d *increment) gather() {
	arrives, known := map[cluster.NodeID]cluster.CPU{}, map[cluster.JobID]bool{}
	reach := func(id cluster.NodeID) {
		if _, reached := arrives[id]; !reached {
			arrives[id] = 0
			d.nodes = append(d.nodes, id)
		}
	}
	for id := range d.news.Freed() {
		reach(id)
	}
	freed := len(d.nodes)
	for _, p := range d.placed {
		d.jobs = append(d.jobs, p.ID)
		for _, id := range p.nodes {
			reach(id)
			arrives[id] += p.Spec.Need
		}
	}
	for i := 0; i < len(d.nodes); i++ {
		n := d.view.Node(d.nodes[i])
		if i >= freed && n.Load.Need+arrives[n.ID] <= n.Capacity().CPU {
			continue
		}
		for j := range d.news.Holding(n.ID) {
			if known[j.ID] {
				continue
			}
			known[j.ID] = true
			d.jobs = append(d.jobs, j.ID)
			for _, id := range d.view.Target(j.ID).Nodes {
				if id != 0 {
					reach(id)
				}
			}
		}
	}
	slices.Sort(d.nodes)
	slices.Sort(d.jobs)
}

// board returns a board of the nodes and jobs concerned.
func (d *increment) board() *board {
	b := emptyBoard(d.view)
	for _, id := range d.nodes {
		b.addNode(d.view.Node(id))
	}
	b.tally = slices.Grow(b.tally, len(b.nodes))[:len(b.nodes)]
	for _, id := range d.jobs {
		b.add(d.view.Job(id))
	}
	for i := range b.all {
		if j := &b.all[i]; d.view.Target(j.ID) != nil {
			b.hold(j, d.view.Target(j.ID))
		}
	}
	b.rank()
	for _, p := range d.placed {
		j := b.job(p.ID)
		for _, id := range p.nodes {
			b.put(j, b.place(id))
		}
	}
	return b
}
