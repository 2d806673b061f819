package dfrs

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// arrival is a decision about jobs that came or went where nothing else has happened. Greedy places who came by what
// the state knows of its nodes, and then only those are looked at whose shares change with it. It decides what
// the board of all nodes and jobs would.
type arrival struct {
	view    *cluster.View
	left    cluster.Vacancies
	placed  []placed         // by id
	nodes   []cluster.NodeID // that are concerned
	jobs    []cluster.JobID  // likewise
	refused []request        // that do not fit
}

// placed is a job that arrived and its new nodes.
type placed struct {
	*cluster.Job
	nodes []cluster.NodeID
}

// request is what a job asks for that may run anywhere.
type request struct {
	count  int
	room   cluster.Room
	spread bool
}

// arrive returns a board of what the pending submissions and ends concern, with the mapping and the shares that are to be. It
// returns nil where that takes the board of all: something else has happened too, the Target is not this policy's own
// work, a job asks for certain nodes or can only be started at the cost of others, or there is room for one that waits; or
// the decision is to be explained to jobs that wait.
func (p *Policy) arrive(v *cluster.View, explain bool) *board {
	o := v.Pending()
	left, kept := v.Vacancies()
	if !kept || !p.local || !v.Decided(p.title) || left.Over() || o.NodesChanged || o.Due || p.due(v, o) {
		return nil
	}
	a := &arrival{view: v, left: left}
	if o.Ended && p.completion == greedy && a.restarts(o.Submitted) {
		return nil
	}
	for i, id := range o.Submitted {
		if !p.admits(a, v.Job(id)) || i == 0 && p.completion == greedy && a.restarts(o.Submitted) {
			return nil
		}
	}
	if explain && a.waits() {
		return nil
	}
	a.gather()
	b := a.board()
	p.allot(b)
	return b
}

// isLocal tells whether what the policy does about a submission depends on few jobs: it packs nothing, and shares are
// max-min fair, so that they change only from one full node to the next.
func (p *Policy) isLocal() bool {
	return p.submission != mcb8 && p.completion != mcb8 && p.opt == "min"
}

// admits deals with a job that was submitted; false: it cannot.
func (p *Policy) admits(a *arrival, j *cluster.Job) bool {
	if a.view.Target(j.ID) != nil || !anywhere(j) {
		return false
	}
	return p.submission == none || a.start(j) || p.submission == greedy
}

// anywhere tells whether the job may run wherever VMs may begin.
func anywhere(j *cluster.Job) bool {
	return len(j.Spec.Placement.Nodes) == 0 && len(j.Spec.Placement.Match) == 0 && !slices.ContainsFunc(j.Tasks, func(t cluster.Task) bool {
		return t.Phase != cluster.Done && (t.Node != 0 || t.Platform != "" || t.Avoid != 0)
	})
}

// start places the job with Greedy, if it fits.
func (a *arrival) start(j *cluster.Job) bool {
	nodes, left := a.place(a.ask(j))
	if nodes == nil {
		return false
	}
	a.placed, a.left = append(a.placed, placed{j, nodes}), left
	return true
}

func (a *arrival) ask(j *cluster.Job) request {
	return request{j.Live(), a.view.Room(j.Spec), j.Spec.Placement.Spread}
}

// place returns nodes for what is asked for, and what is then left; nil: there is no room for all of it.
func (a *arrival) place(r request) (nodes []cluster.NodeID, left cluster.Vacancies) {
	left = a.left
	var taken []cluster.NodeID
	for range r.count {
		n := left.Least(r.room, taken)
		if n == 0 {
			return nil, a.left
		}
		left, nodes = left.Take(n, r.room), append(nodes, n)
		if r.spread {
			taken = nodes
		}
	}
	return nodes, left
}

// restarts tells whether one of the jobs that wait, other than those that arrive, may start.
func (a *arrival) restarts(arriving []cluster.JobID) bool {
	for j := range a.view.Unplaced() {
		if _, found := slices.BinarySearch(arriving, j.ID); found || !a.view.Candidate(j) {
			continue
		}
		if slices.ContainsFunc(j.Tasks, func(t cluster.Task) bool { return t.Node != 0 }) || a.fits(a.ask(j)) {
			return true
		}
	}
	return false
}

// fits tells whether there is room for what is asked for. Who may run on some nodes only is not told from who may on all.
func (a *arrival) fits(r request) bool {
	if slices.ContainsFunc(a.refused, func(o request) bool { return o.within(r) }) {
		return false
	}
	if nodes, _ := a.place(r); nodes != nil {
		return true
	}
	a.refused = append(a.refused, r)
	return false
}

// within tells whether wherever there is room for the other, there is for this.
func (r request) within(o request) bool {
	return r.count <= o.count && r.room.Charge <= o.room.Charge && r.room.Least <= o.room.Least && (!r.spread || o.spread)
}

// waits tells whether there is a job that has to wait.
func (a *arrival) waits() bool {
	for j := range a.view.Unplaced() {
		_, starts := slices.BinarySearchFunc(a.placed, j.ID, func(p placed, id cluster.JobID) int { return cmp.Compare(p.ID, id) })
		if !starts && a.view.Candidate(j) {
			return true
		}
	}
	return false
}

// gather finds whom it concerns who came and who went: all who are on a node with too little CPU, or where somebody
// went, and so on from these.
func (a *arrival) gather() {
	arrives, known := map[cluster.NodeID]cluster.CPU{}, map[cluster.JobID]bool{}
	reach := func(id cluster.NodeID) {
		if _, reached := arrives[id]; !reached {
			arrives[id] = 0
			a.nodes = append(a.nodes, id)
		}
	}
	for id := range a.view.Freed() {
		reach(id)
	}
	freed := len(a.nodes)
	for _, p := range a.placed {
		a.jobs = append(a.jobs, p.ID)
		for _, id := range p.nodes {
			reach(id)
			arrives[id] += p.Spec.Need
		}
	}
	for i := 0; i < len(a.nodes); i++ {
		n := a.view.Node(a.nodes[i])
		if i >= freed && n.Load.Need+arrives[n.ID] <= n.Capacity().CPU {
			continue
		}
		for j := range a.view.Holding(n.ID) {
			if known[j.ID] {
				continue
			}
			known[j.ID] = true
			a.jobs = append(a.jobs, j.ID)
			for _, id := range a.view.Target(j.ID).Nodes {
				if id != 0 {
					reach(id)
				}
			}
		}
	}
	slices.Sort(a.nodes)
	slices.Sort(a.jobs)
}

// board sets up the part of the board that is concerned.
func (a *arrival) board() *board {
	b := emptyBoard(a.view)
	for _, id := range a.nodes {
		b.addNode(a.view.Node(id))
	}
	b.tally = slices.Grow(b.tally, len(b.nodes))[:len(b.nodes)]
	for _, id := range a.jobs {
		b.add(a.view.Job(id))
	}
	for i := range b.all {
		if j := &b.all[i]; a.view.Target(j.ID) != nil {
			b.hold(j, a.view.Target(j.ID))
		}
	}
	b.rank()
	for _, p := range a.placed {
		j := b.job(p.ID)
		for _, id := range p.nodes {
			b.put(j, b.place(id))
		}
	}
	return b
}
