package tiered

import (
	"sync"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/calendar"
)

// decision is the state of one decision. Later decisions reuse its buffers, never their content.
type decision struct {
	rule
	policy.Draft // if it explains, every job is examined

	view *cluster.View
	now  cluster.Time
	news cluster.Occasion

	sites    []site        // processors; see take
	rooms    []room        // by node id
	slotted  bool          // some node has several processors
	open     int           // processors that take new tasks
	idle     int           // of them, those without a foreground task
	known    int           // processors of nodes in any condition
	least    cluster.Offer // least CPU of a processor and least memory of a node, by their descriptions
	memory   cluster.Bytes // of all nodes; background jobs cannot have larger images
	departs  bool          // some node has to be left by its jobs
	immobile bool          // nodes move no VMs alive

	held   []holder // jobs that held nodes when the decision began, by id
	others []int    // of them, those that are not in the foreground, or have to leave a node; indices of held
	ends   []ending // of foreground jobs
	head   cluster.JobID
	shadow cluster.Time // when the head can start at the latest; calendar.Never: it has no reservation
	booked bool         // when holds the reservation
	exact  bool         // every processor may serve the reservation
	when   calendar.Calendar
	spare  cluster.Bytes // of the store
	spares bool          // spare is known

	kills   []cluster.JobID
	evicted []cluster.JobID

	ranks []rank // scratch, as are the fields below
	order []int
	loose []int // indices of held
	steps []calendar.Step
	queue []request
}

// holder is a job that holds nodes.
type holder struct {
	job       *cluster.Job
	placement *cluster.Placement // nil: it gave its nodes up
	before    *cluster.Placement // when the decision began
	leaving   bool               // it has to leave a node, but cannot be paused
}

// ending is a foreground placement and when it is expected to end.
type ending struct {
	at        cluster.Time
	job       cluster.JobID
	placement *cluster.Placement
}

var decisions = sync.Pool{New: func() any { return new(decision) }}

// begin sets up a decision: the nodes, and the jobs that hold them.
func begin(v *cluster.View, r rule, news cluster.Occasion) *decision {
	d := decisions.Get().(*decision)
	d.rule, d.view, d.now, d.news, d.Target, d.shadow = r, v, v.At, news, v.TargetAll(), calendar.Never
	if d.threshold == 0 {
		d.threshold = busy
	}
	d.take()
	for id, p := range d.Target.All() {
		j := v.Job(id)
		d.held = append(d.held, holder{job: j, placement: p, before: p})
		if p.Tier == cluster.Background {
			d.others = append(d.others, len(d.held)-1)
		}
		if d.seated(p, j) {
			d.sit(j, p)
		} else {
			d.loose = append(d.loose, len(d.held)-1)
		}
	}
	for _, i := range d.loose {
		d.seat(&d.held[i])
	}
	for i := range d.held {
		if d.slotted && v.Candidate(d.held[i].job) {
			d.untangle(&d.held[i])
		}
	}
	return d
}

// end returns the buffers to the pool. Objects that they still refer to stay alive until the buffers are reused or the
// pool drops them.
func (d *decision) end() {
	*d = decision{
		sites: d.sites[:0], rooms: d.rooms[:0], held: d.held[:0], loose: d.loose[:0],
		others: d.others[:0], ends: d.ends[:0], when: d.when, kills: d.kills[:0],
		ranks: d.ranks[:0], order: d.order[:0], steps: d.steps[:0], queue: d.queue[:0],
	}
	decisions.Put(d)
}

// decide follows Algorithm 1. The end of a background job calls for its last step only.
func (d *decision) decide() {
	d.relieve()
	d.adjust()
	for _, id := range d.news.Submitted {
		d.refuse(d.view.Job(id))
	}
	if d.thorough() {
		d.examine()
	}
	d.sink()
}

// thorough reports whether jobs may go to the foreground: anything has happened but ends in the background, or nothing
// is there whose end would be waited for, or memory may be.
func (d *decision) thorough() bool {
	return len(d.news.Submitted) > 0 || d.news.EndedForeground || !d.view.TellsTiers() || d.news.NodesChanged ||
		len(d.news.Due) > 0 || d.idle == d.open || d.starves()
}
