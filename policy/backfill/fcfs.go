package backfill

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// FCFS starts jobs in the order of submission, each task on a node of its own.
type FCFS struct{}

// New returns the policy; it takes no parameters, and its period does not matter.
func New(_ string, parameters []string, _ cluster.Time) (FCFS, error) {
	if len(parameters) > 0 {
		return FCFS{}, fmt.Errorf("FCFS takes no parameters, but got %q", parameters)
	}
	return FCFS{}, nil
}

// String is the canonical name.
func (FCFS) String() string { return "FCFS" }

// Decide starts jobs from the head of the queue as long as there are free nodes for all tasks.
func (FCFS) Decide(v *cluster.View) policy.Decision {
	q := newQueue(v)
	for _, j := range q.waiting {
		switch n := q.possible(j); {
		case n > 0 && n < j.Live() && j.Started == 0:
			q.refuse(j, n)
		case q.head != 0:
			q.explain(j, cluster.WhyBehind, int64(q.head))
			q.stop(j)
		case !q.start(j):
			q.head = j.ID
			q.stop(j)
		}
	}
	return policy.Decision{Target: q.target, Refuse: q.refusals, Why: slices.Values(q.why)}
}

// queue is a decision being made.
type queue struct {
	view     *cluster.View
	target   cluster.Allocation
	need     map[cluster.NodeID]cluster.CPU // of the tasks on a node that is not free
	spare    cluster.Bytes                  // of the store
	waiting  []*cluster.Job                 // by submission
	head     cluster.JobID                  // the first that has to wait; 0: none yet
	refusals []cluster.Refusal
	why      []cluster.Reason
}

func newQueue(v *cluster.View) *queue {
	q := &queue{view: v, target: v.TargetAll().Clone(), need: map[cluster.NodeID]cluster.CPU{}, spare: v.Spare()}
	var running []*cluster.Job
	for j := range v.Candidates() {
		q.count(j, 1)
		if v.Mapped(j.ID) == nil {
			q.waiting = append(q.waiting, j)
		} else {
			running = append(running, j)
		}
	}
	for _, j := range running {
		q.keep(j, v.Target(j.ID))
	}
	return q
}

// count adds what the job holds to the needs of its nodes, or with sign -1 takes it away.
func (q *queue) count(j *cluster.Job, sign cluster.CPU) {
	if p := q.target.Get(j.ID); p != nil {
		for _, n := range p.Nodes {
			q.need[n] += sign * j.Spec.Need
		}
	}
}

// stop takes the nodes away from a job that is to leave one of them, unless it cannot be paused.
func (q *queue) stop(j *cluster.Job) {
	if saves := q.view.Saving(j); saves == 0 || saves <= q.spare {
		q.spare -= saves
		q.count(j, -1)
		q.target.Delete(j.ID)
	}
}

// keep leaves a running job on its nodes; its share changes with what they offer. A job
// that another policy left with neighbours keeps its share until it is alone.
func (q *queue) keep(j *cluster.Job, p *cluster.Placement) {
	nodes := slices.DeleteFunc(slices.Clone(p.Nodes), func(n cluster.NodeID) bool { return n == 0 })
	tasks := map[cluster.NodeID]cluster.CPU{}
	for _, n := range nodes {
		tasks[n]++
	}
	if slices.ContainsFunc(nodes, func(n cluster.NodeID) bool { return q.need[n] > tasks[n]*j.Spec.Need }) {
		return
	}
	if share := q.share(j, nodes); share != p.CPU || p.Tier != cluster.Foreground {
		q.target.Set(j.ID, &cluster.Placement{CPU: share, Nodes: nodes})
	}
}

// share is what every task of the job can have on nodes that nobody else holds.
func (q *queue) share(j *cluster.Job, nodes []cluster.NodeID) cluster.CPU {
	share := j.Spec.Need
	for _, n := range nodes {
		if cpu := q.view.Node(n).Capacity().CPU; q.need[n] > cpu {
			share = min(share, j.Spec.Need*cpu/q.need[n])
		}
	}
	return max(share, j.Spec.MinShare())
}

// start gives each task a free node, those with most CPU for it first; false: there are too few.
func (q *queue) start(j *cluster.Job) bool {
	q.count(j, -1)
	free := q.free(j)
	if len(free) < j.Live() {
		q.count(j, 1)
		q.explain(j, cluster.WhyNoFreeNode, int64(len(free)), int64(j.Live()))
		return false
	}
	useful := func(n *cluster.Node) cluster.CPU { return min(j.Spec.Need, n.Capacity().CPU) }
	slices.SortStableFunc(free, func(a, b *cluster.Node) int { return cmp.Compare(useful(b), useful(a)) })
	p := &cluster.Placement{}
	for _, n := range free[:j.Live()] {
		p.Nodes = append(p.Nodes, n.ID)
	}
	q.target.Set(j.ID, p)
	q.count(j, 1)
	p.CPU = q.share(j, p.Nodes)
	q.explain(j, cluster.WhyPlaced, int64(p.CPU*1000/j.Spec.Need))
	return true
}

// free lists by id the nodes that nobody holds and that can take a task of the job.
func (q *queue) free(j *cluster.Job) (nodes []*cluster.Node) {
	allows := q.view.Allowing(j)
	for n := range q.view.Nodes() {
		if q.need[n.ID] == 0 && q.view.Open(n) && allows(n) && q.suits(j, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (q *queue) suits(j *cluster.Job, n *cluster.Node) bool {
	c := n.Capacity()
	return c.Memory >= q.view.Charge(j.Spec) && c.CPU >= j.Spec.MinShare()
}

// possible counts the nodes that could take a task of the job if they were up and free.
func (q *queue) possible(j *cluster.Job) (count int) {
	for n := range q.view.Nodes() {
		if n.Allows(j.Spec, "") && n.Description.Memory >= q.view.Charge(j.Spec) && n.Description.CPU >= j.Spec.MinShare() {
			count++
		}
	}
	return count
}

func (q *queue) refuse(j *cluster.Job, nodes int) {
	reason := cluster.Reason{Job: j.ID, Code: cluster.WhyTooFewNodes, Values: []int64{int64(nodes), int64(j.Live())}}
	q.refusals = append(q.refusals, cluster.Refusal{Job: j.ID, Reason: reason})
}

// explain says why the job is where it is, if that is news.
func (q *queue) explain(j *cluster.Job, code cluster.ReasonCode, values ...int64) {
	if j.Why.Code != code || !slices.Equal(j.Why.Values, values) {
		q.why = append(q.why, cluster.Reason{Job: j.ID, Code: code, Values: values})
	}
}
