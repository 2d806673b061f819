package backfill

import (
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/calendar"
)

// packing describes how tasks are packed on nodes of several cores. A task takes its need, rounded up to whole cores,
// and its memory. A node takes as many tasks as its cores and memory allow.
type packing struct {
	packs     bool // if false, each task has a node of its own
	exclusive bool // a node holds tasks of one job only
	perNode   int  // cores of every node, whatever its CPU; 0: a core is 1,000 millicores
}

// cores returns the number of cores that a task with the given need takes on a node of the given capacity.
func (p packing) cores(need, capacity cluster.CPU) int {
	switch {
	case p.perNode == 0:
		return int((need + cluster.Core - 1) / cluster.Core)
	case capacity == 0:
		return p.perNode
	}
	return int((need*cluster.CPU(p.perNode) + capacity - 1) / capacity)
}

// has returns the number of cores of a node of the given capacity.
func (p packing) has(capacity cluster.CPU) int {
	if p.perNode > 0 && capacity > 0 {
		return p.perNode
	}
	return int(capacity / cluster.Core)
}

// rack holds the nodes for tasks that take whole cores.
type rack struct {
	places []place // by node id
	free   int     // cores, over all nodes

	steps []calendar.Step
	total calendar.Calendar // free cores of all nodes; valid once starts are promised, like the calendars of the places
}

// place is one node during a decision. A node that takes no new tasks has 0 cores.
type place struct {
	node   *cluster.Node
	offer  cluster.Offer // of the node, with what promises in force take of it
	cores  int
	used   int           // cores of the tasks that hold the node
	memory cluster.Bytes // memory that the node offers
	taken  cluster.Bytes // memory of the tasks that hold the node
	tasks  int
	drawn  int // tasks of the job being placed that are listed for this node

	coreSteps, memorySteps []calendar.Step
	when                   calendar.Calendar // free cores
	spare                  calendar.Calendar // free memory, in bytes
}

// initRack initializes the rack from the nodes and from the tasks that hold them.
func (d *decision) initRack() {
	if !d.packs {
		return
	}
	k := &d.rack
	k.places = slices.Grow(k.places[:0], len(d.sites))[:len(d.sites)]
	for n := range k.places {
		p, s := &k.places[n], &d.sites[n]
		p.node, p.cores, p.used, p.memory, p.taken, p.tasks = s.node, 0, 0, 0, 0, 0
		if s.node != nil {
			p.offer = d.whole(s.node)
		}
		if s.class != outside {
			p.cores, p.memory = d.has(p.offer.CPU), p.offer.Memory
		}
		k.free += p.cores
	}
	for _, list := range [][]holder{d.held, d.kept} {
		for _, h := range list {
			d.put(d.view.Job(h.id), h.placement, 1)
		}
	}
	d.free = k.free
}

// empty clears the rack and keeps its buffers.
func (k *rack) empty() { *k = rack{places: k.places[:0], steps: k.steps[:0], total: k.total} }

// count adds the tasks of a placement to their nodes; sign -1 removes them.
func (d *decision) count(j *cluster.Job, p *cluster.Placement, sign int) {
	d.inventory.count(j, p, sign)
	if d.packs {
		d.put(j, p, sign)
	}
}

// put adds the cores and memory of a placement to its nodes; sign -1 removes them.
func (d *decision) put(j *cluster.Job, held *cluster.Placement, sign int) {
	charge := d.view.Charge(j.Spec)
	for _, n := range held.Nodes {
		if n == 0 {
			continue
		}
		p := &d.rack.places[n]
		d.rack.free -= d.vacantCores(p)
		p.tasks += sign
		p.used += sign * d.cores(j.Spec.Need, p.offer.CPU)
		p.taken += cluster.Bytes(sign) * charge
		d.rack.free += d.vacantCores(p)
	}
	d.free = d.rack.free
}

// vacantCores returns the cores of a node that new tasks can take.
func (d *decision) vacantCores(p *place) int {
	if d.rule.exclusive && p.tasks > 0 {
		return 0
	}
	return max(0, p.cores-p.used)
}

// fits returns the number of tasks of a job that the given cores and memory of a node suffice for.
func (d *decision) fits(r *request, p *place, cores int, memory cluster.Bytes) (count int) {
	if cores == 0 || r.allows != nil && !r.allows(p.node) || d.rule.exclusive && cores < p.cores {
		return 0
	}
	count = cores / d.cores(r.Spec.Need, p.offer.CPU)
	if r.charge > 0 {
		count = min(count, int(max(0, memory)/r.charge))
	}
	if r.Spec.Placement.Spread {
		count = min(count, 1)
	}
	return count
}

// fitsEver returns the number of tasks of a job that the node could take if no task held it.
func (d *decision) fitsEver(r *request, p *place) int { return d.fits(r, p, p.cores, p.memory) }

// fitsNow returns the number of tasks that the node can take now, regardless of promises.
func (d *decision) fitsNow(r *request, p *place) int {
	return d.fits(r, p, d.vacantCores(p), p.memory-p.taken)
}

// fitsFrom returns the number of tasks that the node can take from at on for the whole length of the job without
// breaking a promise.
func (d *decision) fitsFrom(r *request, p *place, at, lasts cluster.Time) int {
	until := calendar.After(at, lasts)
	cores := p.when.Least(at, until)
	if cores == 0 {
		return 0
	}
	return d.fits(r, p, cores, cluster.Bytes(p.spare.Least(at, until)))
}

// tally sums count over all nodes.
func (d *decision) tally(count func(*place) int) (sum int) {
	for n := range d.rack.places {
		if p := &d.rack.places[n]; p.cores > 0 {
			sum += count(p)
		}
	}
	return sum
}

// fill returns a node for each task of the job, ordered by id. It takes up to first(p) tasks per node; if that is not
// enough, up to all(p). It returns nil if there is not enough room.
//
// If every job is promised a start, first is not used, so that the order is always the same. A job that starts then
// leaves the promised cores of later jobs untouched, and the next decision repeats all promises.
func (d *decision) fill(r *request, first, all func(*place) int) []cluster.NodeID {
	nodes := make([]cluster.NodeID, 0, r.tasks)
	for n := range d.rack.places {
		d.rack.places[n].drawn = 0
	}
	if d.promises <= 1 {
		nodes = d.drawCores(r, nodes, first)
	}
	if nodes = d.drawCores(r, nodes, all); len(nodes) < r.tasks {
		return nil
	}
	return nodes
}

// drawCores appends nodes until every task has one, at most count(p) tasks per node.
func (d *decision) drawCores(r *request, nodes []cluster.NodeID, count func(*place) int) []cluster.NodeID {
	for n := range d.rack.places {
		p := &d.rack.places[n]
		if len(nodes) == r.tasks {
			break
		}
		if p.cores == 0 {
			continue
		}
		tasks := max(0, min(count(p)-p.drawn, r.tasks-len(nodes)))
		p.drawn += tasks
		for range tasks {
			nodes = append(nodes, cluster.NodeID(n))
		}
	}
	return nodes
}

// placeOnCores finds and books cores for all tasks of a job that can start now. It returns nil if there are not
// enough. It prefers cores that are promised to others after the job has ended.
func (d *decision) placeOnCores(r *request) *cluster.Placement {
	lasts := d.lasts(r, r.Spec.Need)
	now := func(p *place) int { return d.fitsNow(r, p) }
	long := now
	if d.booked {
		now = func(p *place) int { return d.fitsFrom(r, p, d.now, lasts) }
		long = func(p *place) int { return d.fitsFrom(r, p, d.now, never) }
	}
	nodes := d.fill(r, func(p *place) int { return now(p) - long(p) }, now)
	if nodes == nil {
		return nil
	}
	if d.booked {
		d.bookCores(r, nodes, d.now, calendar.After(d.now, lasts))
	}
	return &cluster.Placement{Grant: cluster.Foreground.Grant(r.Spec.Need), Nodes: nodes}
}

// reserveCores books the promised cores of the job and returns its start, or never. It prefers cores that no job can
// use now, to stand in the way of as few jobs as possible.
func (d *decision) reserveCores(r *request) cluster.Time {
	lasts, least := d.lasts(r, r.Spec.Need), r.tasks*d.fewest(r)
	for at := d.now; at != never; at = d.rack.total.Next(at) {
		if at = d.rack.total.EarliestAny(at, lasts, least); at == never {
			return never
		}
		all := func(p *place) int { return d.fitsFrom(r, p, at, lasts) }
		if nodes := d.fill(r, func(p *place) int { return all(p) - d.fitsNow(r, p) }, all); nodes != nil {
			d.bookCores(r, nodes, at, calendar.After(at, lasts))
			return at
		}
	}
	return never
}

// fewest returns the smallest number of cores that a task of the job takes on any node.
func (d *decision) fewest(r *request) int {
	least := math.MaxInt
	for n := range d.rack.places {
		if p := &d.rack.places[n]; p.cores > 0 {
			least = min(least, d.cores(r.Spec.Need, p.offer.CPU))
		}
	}
	return least
}

// bookCores books the cores and memory of a job. Invariant: nodes lists equal ids one after the other.
func (d *decision) bookCores(r *request, nodes []cluster.NodeID, from, until cluster.Time) {
	all := 0
	for len(nodes) > 0 {
		p, tasks := &d.rack.places[nodes[0]], 1
		for tasks < len(nodes) && nodes[tasks] == nodes[0] {
			tasks++
		}
		cores := p.cores
		if !d.rule.exclusive {
			cores = tasks * d.cores(r.Spec.Need, p.offer.CPU)
		}
		p.when.BookAny(from, until, cores)
		if charge := tasks * int(r.charge); charge > 0 {
			p.spare.BookAny(from, until, charge)
		}
		all, nodes = all+cores, nodes[tasks:]
	}
	d.rack.total.BookAny(from, until, all)
}

// foreseeCores builds the calendars of all nodes from the releases, which are ordered by time.
func (d *decision) foreseeCores() {
	k := &d.rack
	for n := range k.places {
		p := &k.places[n]
		p.coreSteps, p.memorySteps = p.coreSteps[:0], p.memorySteps[:0]
		d.step(p, d.now)
	}
	k.steps = step(k.steps[:0], d.now, k.free)
	for _, r := range d.releases {
		if r.at == never {
			break
		}
		d.put(r.job, r.placement, -1)
		for _, n := range r.placement.Nodes {
			d.step(&k.places[n], r.at)
		}
		k.steps = step(k.steps, r.at, k.free)
	}
	for _, r := range d.releases {
		if r.at != never {
			d.put(r.job, r.placement, 1)
		}
	}
	for n := range k.places {
		if p := &k.places[n]; p.cores > 0 {
			p.when.Load(p.coreSteps)
			p.spare.Load(p.memorySteps)
		}
	}
	k.total.Load(k.steps)
}

// step records the free cores and memory of a node from a time on.
func (d *decision) step(p *place, at cluster.Time) {
	p.coreSteps = step(p.coreSteps, at, d.vacantCores(p))
	p.memorySteps = step(p.memorySteps, at, int(max(0, p.memory-p.taken)))
}

// step appends a step. Invariant: at is not before the last step.
func step(steps []calendar.Step, at cluster.Time, free int) []calendar.Step {
	switch last := len(steps) - 1; {
	case last >= 0 && steps[last].At == at:
		steps[last].Free = free
	case last < 0 || steps[last].Free != free:
		steps = append(steps, calendar.Step{At: at, Free: free})
	}
	return steps
}

// possibleOnCores returns the number of tasks of a job that would have cores if all nodes were up and free. nodes is
// the number of nodes that could take a task if cores did not matter.
func (d *decision) possibleOnCores(j *cluster.Job) (tasks, nodes int) {
	r, platform := request{Job: j, charge: d.view.Charge(j.Spec)}, policy.PlatformOf(j)
	for n := range d.view.Nodes() {
		if n.Description.Memory < r.charge || !d.view.Allows(n, j.Spec, platform) {
			continue
		}
		nodes++
		whole := cluster.Offer{CPU: n.Description.CPU, Memory: n.Description.Memory}
		p := place{node: n, offer: whole, cores: d.has(whole.CPU), memory: whole.Memory}
		tasks += d.fitsEver(&r, &p)
	}
	return tasks, nodes
}
