package deadline

import (
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// decision is the state of one decision.
type decision struct {
	policy.Draft
	Policy

	view     *cluster.View
	open     []cluster.NodeID // that take tasks
	all      int              // number of them
	known    int              // nodes in any condition
	least    cluster.Offer    // of any node
	slowest  cluster.Speed    // of any node
	promises []cluster.Promise
}

// survey looks at all nodes, and finds the open ones on which no job without a promise has a task.
func (d *decision) survey() {
	taken := map[cluster.NodeID]bool{}
	for id, p := range d.view.TargetAll().All() {
		if d.view.Promises().Of(id) == nil {
			for _, n := range p.Nodes {
				taken[n] = true
			}
		}
	}
	d.least, d.slowest = cluster.Offer{CPU: math.MaxInt32, Memory: math.MaxInt64}, cluster.MaxSpeed
	for n := range d.view.Nodes() {
		c := n.Description
		d.least.CPU, d.least.Memory = min(d.least.CPU, c.CPU), min(d.least.Memory, c.Memory)
		d.slowest = min(d.slowest, c.Speed.Known())
		if d.known++; d.view.Condition(n) == cluster.NodeOpen && !taken[n.ID] {
			d.open = append(d.open, n.ID)
		}
	}
	d.all = len(d.open)
}

// planned returns the number of nodes that are planned.
func (d *decision) planned() int { return d.all * (million - d.withheld) / million }

// job returns a job as the plan knows it.
func (d *decision) job(j *cluster.Job) *Job {
	w, s := d.view.Window(j), j.Spec
	job := &Job{ID: j.ID, Tasks: j.Live(), Floor: floorOf(s), Ready: max(w.Ready, j.Submitted), Deadline: w.Deadline,
		Lasts: w.Lasts, Move: d.view.Cost(j).MoveTime}
	if w.Deadline == 0 {
		job.Deadline = Never
	}
	if d.view.Charge(s) > d.least.Memory/Quarters || s.Placement.Spread {
		job.Floor = Quarters
	}
	return job
}

// asking lists the jobs to be answered, by id: those that came, and, when nodes changed or a job ended or was cut,
// those that found no room before.
func (d *decision) asking(news cluster.Occasion) []cluster.JobID {
	jobs := slices.Clone(news.Submitted)
	if news.NodesChanged || news.Ended || len(d.Refusals) > 0 {
		for j := range d.view.Unpromised() {
			if d.view.Candidate(j) {
				jobs = append(jobs, j.ID)
			}
		}
	}
	slices.Sort(jobs)
	return slices.Compact(jobs)
}

// admit answers jobs in the order of their ids. Each sees those that were admitted before it.
func (d *decision) admit(jobs []cluster.JobID) {
	for _, id := range jobs {
		if d.view.Promises().Of(id) == nil && d.Target.Get(id) == nil {
			d.ask(d.view.Job(id))
		}
	}
}

// ask admits a job or refuses it.
func (d *decision) ask(j *cluster.Job) {
	job, s := d.job(j), j.Spec
	job.Ready = max(job.Ready, d.view.At)
	switch {
	case job.Lasts == 0:
		d.Refuse(j, cluster.WhyNoEstimate)
		return
	case job.Tasks > d.known || !d.suffices(s.Need) || d.view.Charge(s) > d.least.Memory ||
		len(s.Placement.Nodes)+len(s.Placement.Match) > 0:
		d.Refuse(j, cluster.WhyTooFewNodes, int64(d.known), int64(job.Tasks))
		return
	case job.Deadline != Never && d.all == 0:
		d.decline(j, job)
		return
	case job.Deadline != Never && d.dear(j, job):
		return
	}
	trial, kept := d.plan.Try(job)
	switch {
	case kept:
		d.plan.Accept(trial)
		d.jobs[job.ID], d.accepted = job, append(d.accepted, job.ID)
		d.promises = append(d.promises, cluster.Promise{Job: job.ID, From: job.Ready, Until: job.Deadline})
		d.Explain(j, cluster.WhyReserved, seconds(job.Ready-j.Submitted))
	case job.Deadline == Never:
		d.Explain(j, cluster.WhyNoNode, policy.NoNode(d.view, j, job.Tasks).Values...)
	default:
		d.decline(j, job)
	}
}

// decline refuses a job that cannot be done by its deadline.
func (d *decision) decline(j *cluster.Job, job *Job) {
	d.Refuse(j, cluster.WhyNotReserved, int64(job.Tasks), seconds(job.Lasts), seconds(job.Ready-j.Submitted),
		seconds(max(job.Ready, job.Deadline)-j.Submitted))
}

// steep is the base of the price.
const steep = 50

// suffices reports whether every node gives a task all of that need.
func (d *decision) suffices(need cluster.CPU) bool {
	return need <= min(d.least.CPU, d.slowest.Ceiling(need))
}

// dear refuses a job that costs too much, and reports that. The price rises with the use of its window that is planned
// with it, from nothing to one hour of a node for an hour of a task.
func (d *decision) dear(j *cluster.Job, job *Job) bool {
	if d.theta == 0 || job.Deadline <= job.Ready {
		return false
	}
	work, window := float64(job.Tasks)*job.Lasts.Seconds(), (job.Deadline - job.Ready).Seconds()
	planned := d.plan.Planned(job.Ready, job.Deadline) + work/window/float64(d.all)
	price := work * (math.Pow(steep, planned) - 1) / (steep - 1)
	limit := d.theta * float64(d.all) * cluster.Hour.Seconds()
	if price <= limit {
		return false
	}
	d.Refuse(j, cluster.WhyTooDear, int64(job.Tasks), seconds(job.Lasts), int64(planned*1000+.5),
		int64(price/limit*1000+.5))
	return true
}

// grant gives the runs their levels, and returns the alarm for the next change of the plan.
func (d *decision) grant() []cluster.Alarm {
	runs, until := d.plan.Levels()
	d.seat(runs)
	if until == Never {
		return nil
	}
	return []cluster.Alarm{{At: until, Kind: cluster.AlarmPromise}}
}

// drop ends a job whether or not it runs.
func (d *decision) drop(j *cluster.Job, code cluster.ReasonCode, values ...int64) {
	if d.Target.Get(j.ID) != nil {
		d.Hold(j.ID, nil)
	}
	d.Refuse(j, code, values...)
}

// seconds rounds a time up to whole seconds.
func seconds(t cluster.Time) int64 { return int64((t + cluster.Second - 1) / cluster.Second) }
