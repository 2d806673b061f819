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

	sites   []site        // by node id
	open    int           // nodes that take new tasks
	idle    int           // of them, those without a foreground task
	known   int           // nodes in any condition
	least   cluster.Offer // least CPU and least memory of any node's description
	memory  cluster.Bytes // of all nodes; background jobs cannot have larger images
	departs bool          // some node has to be left by its jobs

	held   []holder // jobs that held nodes when the decision began, by id
	others []int    // of them, those that are not in the foreground, or have to leave a node; indices of held
	ends   []ending // of foreground jobs
	head   cluster.JobID
	shadow cluster.Time // when the head can start at the latest; calendar.Never: it has no reservation
	booked bool         // when holds the reservation
	exact  bool         // every node may serve the reservation
	when   calendar.Calendar
	spare  cluster.Bytes // of the store
	spares bool          // spare is known

	kills   []cluster.JobID
	evicted []cluster.JobID

	ranks []rank // scratch, as are the fields below
	order []int
	steps []calendar.Step
	queue []request
}

// holder is a job that holds nodes.
type holder struct {
	job       *cluster.Job
	placement *cluster.Placement // nil: it gave its nodes up
	leaving   bool               // it has to leave a node, but cannot be paused
}

// ending is a foreground placement and when it is expected to end.
type ending struct {
	at        cluster.Time
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
		d.held = append(d.held, holder{job: v.Job(id), placement: p})
		for i, n := range p.Nodes {
			if n != 0 {
				d.crowd(v.Job(id), p, i, 1)
			}
		}
		if p.Tier == cluster.Background {
			d.others = append(d.others, len(d.held)-1)
		}
	}
	return d
}

// end returns the buffers to the pool. Objects that they still refer to stay alive until the buffers are reused or the
// pool drops them.
func (d *decision) end() {
	*d = decision{
		sites: d.sites[:0], held: d.held[:0], others: d.others[:0], ends: d.ends[:0], when: d.when, kills: d.kills[:0],
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
