package dfrs

import (
	"math"
	"slices"
	"sync"

	"aliquot/cluster"
	"aliquot/policy"
)

// board is the mapping during a decision: the node of every task, and the room left on the nodes.
type board struct {
	view     *cluster.View
	pending  cluster.Occasion
	nodes    []node // by id
	index    []int  // by node id: its place in nodes, plus 1; all zero between uses
	all      []job  // candidates, by id
	jobs     []*job // the same jobs, by rank: those within their holders' shares first, then by priority
	victims  []victim
	room     cluster.Bytes // of the store, less the images of the victims
	current  bool          // vacancies reflects the current state of nodes
	steps    int           // jobs and nodes examined so far for exchanges
	immobile bool          // nodes move no VMs alive
	moving   bool          // there are moves under way
	untried  bool          // waiting jobs have not been tried since a job was unmapped or began to wait
	// requests of jobs without restrictions that Greedy could not map since a job was last unmapped
	refused    refusals
	lifts      int              // number of times that jobs were unmapped
	everywhere []int            // all places of nodes
	weighed    *cluster.Weighed // worth of the best plan for running jobs; nil: no plan was sought
	fallback   error            // why shares do not follow opt; nil: they do
	scratch
}

// scratch is memory that decisions reuse. A policy keeps no state, only buffers.
type scratch struct {
	places    []int // backing array of before and nodes of all jobs
	heap      []int // places of nodes, the least loaded with the task first
	ranks     []rank
	tally     []int // number of tasks by node; all zero between uses
	vacancies vacancies
	sets      nodeSets
	affected
}

// node is a node's offer and the sums over the tasks mapped to it.
type node struct {
	*cluster.Node
	offer  cluster.Offer
	memory cluster.Bytes
	need   cluster.CPU
	least  cluster.CPU // sum of the tasks' smallest shares
	open   bool        // it takes new tasks
	speed  cluster.Speed
}

var boards = sync.Pool{New: func() any { return new(board) }}

// newBoard returns a board of all nodes and candidates; release returns it to the pool.
func newBoard(v *cluster.View) *board {
	b := emptyBoard(v)
	for n := range v.Nodes() {
		b.addNode(n)
	}
	b.tally = slices.Grow(b.tally, len(b.nodes))[:len(b.nodes)]
	for j := range v.Candidates() {
		b.add(j)
	}
	b.mapAll()
	b.rank()
	b.favour()
	return b
}

// emptyBoard returns a board without nodes and jobs.
func emptyBoard(v *cluster.View) *board {
	b := boards.Get().(*board)
	b.view, b.pending, b.room, b.untried = v, v.Pending(), v.Spare(), true
	for range v.Moves() {
		b.moving = true
		break
	}
	return b
}

// rank sorts the jobs by priority. Jobs of infinite priority are sorted already: by id.
func (b *board) rank() {
	for i := range b.all {
		if math.IsInf(b.all[i].priority, 1) {
			b.jobs = append(b.jobs, &b.all[i])
		}
	}
	b.ranks = b.ranks[:0]
	for i := range b.all {
		if j := &b.all[i]; !math.IsInf(j.priority, 1) {
			b.ranks = append(b.ranks, rank{j.priority, i})
		}
	}
	slices.SortFunc(b.ranks, rank.compare)
	for _, r := range b.ranks {
		b.jobs = append(b.jobs, &b.all[r.at])
	}
}

// rank is a job's priority and its place by id. Sorting ranks moves no pointers.
type rank struct {
	priority float64
	at       int
}

func (r rank) compare(o rank) int { return policy.ByPriority(r.priority, r.at, o.priority, o.at) }

// release makes the board's memory available to the next decision.
func (b *board) release() {
	for i := range b.nodes {
		b.index[b.nodes[i].ID] = 0
	}
	clear(b.nodes)
	clear(b.all)
	b.sets.clear()
	*b = board{
		nodes: b.nodes[:0], index: b.index, all: b.all[:0], jobs: b.jobs[:0],
		victims: b.victims[:0], refused: b.refused[:0], everywhere: b.everywhere, scratch: b.scratch,
	}
	b.places = b.places[:0]
	boards.Put(b)
}

func (b *board) addNode(n *cluster.Node) {
	if most := int(n.ID) + 1; len(b.index) < most {
		b.index = append(b.index, make([]int, most-len(b.index))...)
	}
	b.index[n.ID] = len(b.nodes) + 1
	b.immobile = b.immobile || n.Description.Immobile
	offer, condition := n.Capacity(), b.view.Condition(n)
	if condition == cluster.NodeLeaving {
		offer.Memory = 0 // the tasks there have to leave
	}
	b.nodes = append(b.nodes, node{Node: n, offer: offer, open: condition == cluster.NodeOpen,
		speed: n.Description.Speed})
}

// place returns the node's index in nodes; -1: it is not on the board.
func (b *board) place(id cluster.NodeID) int {
	if int(id) >= len(b.index) {
		return -1
	}
	return b.index[id] - 1
}

func (b *board) add(c *cluster.Job) {
	b.all = append(b.all, job{Job: c, fixed: b.view.Stuck(c)})
	j := &b.all[len(b.all)-1]
	platform, ordinary := b.look(j)
	if j.count == 0 {
		b.all = b.all[:len(b.all)-1]
		return
	}
	j.virtual, j.charge = c.VirtualTime(b.view.At), b.view.Charge(c.Spec)
	j.priority = cluster.Priority(c.FlowTime(b.view.At), j.virtual)
	j.least, j.saves = c.Spec.MinShare(), b.view.Saving(c)
	if p := b.eligible(j, platform, ordinary); !p.everywhere() || p.closed {
		j.eligible = p
	}
	if j.eligible != nil && j.eligible.closed {
		j.stays = staying(b.view, c, b.view.Target(c.ID))
	}
}

// look counts the job's live tasks and returns the platform of its runs. ordinary reports whether the platform and
// the job's constraint alone decide where its tasks may go.
func (b *board) look(j *job) (platform string, ordinary bool) {
	ordinary = !j.fixed
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == cluster.Done {
			continue
		}
		if j.count == 0 {
			platform = t.Platform
		}
		j.count++
		ordinary = ordinary && t.Platform == platform && t.Avoid == 0 && (t.Node == 0 || !b.immobile && b.open(t.Node) &&
			(!b.moving || b.open(cluster.Bound(b.view, cluster.TaskID{Job: j.ID, Index: i}))))
	}
	return platform, ordinary
}

func (b *board) open(id cluster.NodeID) bool {
	n := b.place(id)
	return n >= 0 && b.nodes[n].open
}

// mapAll maps every job to the nodes that it holds.
func (b *board) mapAll() {
	next := 0
	for id, p := range b.view.TargetAll().All() {
		for next < len(b.all) && b.all[next].ID < id {
			next++
		}
		if next == len(b.all) || b.all[next].ID != id {
			continue // the job is no candidate
		}
		b.hold(&b.all[next], p)
	}
}

// hold maps the job to the nodes that it holds.
func (b *board) hold(j *job, p *cluster.Placement) {
	j.held, j.before = p, b.take(len(p.Nodes))
	for _, n := range p.Nodes {
		if n != 0 {
			j.before = append(j.before, b.place(n))
		}
	}
	b.occupy(j, j.before)
}

// take returns an empty list of places with room for count of them.
func (b *board) take(count int) []int {
	if len(b.places)+count > cap(b.places) {
		b.places = make([]int, 0, 2*cap(b.places)+count) // earlier lists keep the old memory
	}
	from := len(b.places)
	b.places = b.places[:from+count]
	return b.places[from : from : from+count]
}

// job returns the candidate with that id, or nil.
func (b *board) job(id cluster.JobID) *job {
	i, ok := slices.BinarySearchFunc(b.all, id, func(j job, id cluster.JobID) int { return int(j.ID) - int(id) })
	if !ok {
		return nil
	}
	return &b.all[i]
}

// eligible returns the set of nodes on which the job's tasks may be placed.
func (b *board) eligible(j *job, platform string, ordinary bool) *nodeSet {
	if ordinary {
		if known := b.sets.find(platform, j.Spec); known != nil {
			return known
		}
	}
	p := &nodeSet{platform: platform, asked: j.Spec, allowed: make([]bool, len(b.nodes))}
	allows, count := b.view.Allowing(j.Job), 0
	for n := range b.nodes {
		if p.allowed[n] = allows(b.nodes[n].Node); p.allowed[n] {
			p.closed = p.closed || !b.nodes[n].open
			count++
		}
	}
	p.list(count)
	if ordinary {
		b.sets.add(p)
	}
	return p
}

// reach returns the places of nodes on which the job's tasks may be placed.
func (b *board) reach(j *job) []int {
	if j.eligible != nil {
		return j.eligible.places
	}
	for n := len(b.everywhere); n < len(b.nodes); n++ {
		b.everywhere = append(b.everywhere, n)
	}
	return b.everywhere[:len(b.nodes)]
}

// occupy maps the job to the nodes whether or not they have room.
func (b *board) occupy(j *job, nodes []int) {
	j.nodes = j.nodes[:0]
	for _, n := range nodes {
		b.put(j, n)
	}
}

// put maps one more task of the job to node n.
func (b *board) put(j *job, n int) {
	if cap(j.nodes) == 0 {
		j.nodes = b.take(j.count)
	}
	j.nodes = append(j.nodes, n)
	b.nodes[n].count(j, 1)
	b.current = false
}

// lift unmaps the job.
func (b *board) lift(j *job) {
	for _, n := range j.nodes {
		b.nodes[n].count(j, -1)
	}
	j.nodes, b.current = j.nodes[:0], false
	b.clearRefusals()
}

// count notes that one more task of the job is mapped to the node; sign -1: one less.
func (n *node) count(j *job, sign int) {
	n.memory += cluster.Bytes(sign) * j.charge
	n.need += cluster.CPU(sign) * j.Spec.Need
	n.least += cluster.CPU(sign) * j.least
	if j.stays != nil && !n.open {
		s := j.stays[n.ID]
		s.mapped += sign
		j.stays[n.ID] = s
	}
}

// moved reports whether the job is mapped to other nodes than at the beginning of the instant.
func (b *board) moved(j *job) bool {
	if slices.Equal(j.nodes, j.before) {
		return false
	}
	for _, n := range j.before {
		b.tally[n]++
	}
	moved := len(j.nodes) != len(j.before)
	for _, n := range j.nodes {
		b.tally[n]--
		moved = moved || b.tally[n] < 0
	}
	for _, n := range j.before {
		b.tally[n] = 0
	}
	for _, n := range j.nodes {
		b.tally[n] = 0
	}
	return moved
}
