package dfrs

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// increment is a decision about jobs that came or went where nothing else has happened. Greedy places who came by what
// the state knows of its nodes, and then only those are looked at whose shares change with who came and went. It decides
// what the board of all nodes and jobs would.
type increment struct {
	view    *cluster.View
	news    cluster.Increment
	left    cluster.Vacancies
	placed  []placed         // by id
	nodes   []cluster.NodeID // that are concerned
	jobs    []cluster.JobID  // likewise
	refused refusals
}

// placed is a job that arrived and its new nodes.
type placed struct {
	*cluster.Job
	nodes []cluster.NodeID
}

// decideIncrement returns a board of what the pending submissions and ends concern, with the mapping and the shares that are to be. It
// returns nil where that takes the board of all: something else has happened too, the Target is not this policy's own
// work, a job asks for certain nodes or can only be started at the cost of others, or there is room for one that waits; or
// the decision is to be explained to jobs that wait.
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
		behind := i == 0 && !o.Ended // who waits comes after the first that arrives, unless something ended before
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

// isIncremental tells whether what the policy does about who came or went may concern few jobs: it packs nothing, and shares are
// max-min fair, so that they change only from one full node to the next.
func (p *Policy) isIncremental() bool {
	return p.submission != mcb8 && p.completion != mcb8 && p.opt == "min"
}

// admits deals with a job that was submitted; false: it cannot.
func (p *Policy) admits(d *increment, j *cluster.Job) bool {
	if d.view.Target(j.ID) != nil || !anywhere(j) {
		return false
	}
	return p.submission == none || d.start(j) || p.submission == greedy
}

// anywhere tells whether the job may run wherever VMs may begin.
func anywhere(j *cluster.Job) bool {
	return len(j.Spec.Placement.Nodes) == 0 && len(j.Spec.Placement.Match) == 0 && !slices.ContainsFunc(j.Tasks, func(t cluster.Task) bool {
		return t.Phase != cluster.Done && (t.Node != 0 || t.Platform != "" || t.Avoid != 0)
	})
}

// start places the job with Greedy, if it fits.
func (d *increment) start(j *cluster.Job) bool {
	nodes, left := d.place(d.ask(j))
	if nodes == nil {
		return false
	}
	d.placed, d.left = append(d.placed, placed{j, nodes}), left
	return true
}

func (d *increment) ask(j *cluster.Job) request {
	return request{j.Live(), d.view.Room(j.Spec), j.Spec.Placement.Spread}
}

// place returns nodes for what is asked for, and what is then left; nil: there is no room for all of it.
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

// restarts tells whether one of the jobs that wait, other than those that arrive, may start.
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

// fits reports whether there is room for what is asked for. It takes every node for eligible.
func (d *increment) fits(r request) bool {
	if d.refused.cover(r) {
		return false
	}
	if nodes, _ := d.place(r); nodes != nil {
		return true
	}
	d.refused = append(d.refused, r)
	return false
}

// waits tells whether there is a job that has to wait.
func (d *increment) waits() bool {
	for j := range d.news.Waiting() {
		_, starts := slices.BinarySearchFunc(d.placed, j.ID, func(p placed, id cluster.JobID) int { return cmp.Compare(p.ID, id) })
		if !starts && d.view.Candidate(j) {
			return true
		}
	}
	return false
}

// gather finds whom it concerns who came and who went: all who are on a node with too little CPU, or where somebody
// went, and so on from these.
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

// board sets up the part of the board that is concerned.
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
