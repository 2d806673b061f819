package reserve

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/calendar"
)

// decision is the state of one decision.
type decision struct {
	policy.Draft

	view   *cluster.View
	rule   Rule
	ledger *ledger
	site

	wake     cluster.Time // when a promised interval begins or is over next; zero: never
	promises []cluster.Promise
}

// keep keeps the promises that have been made: it starts jobs and cuts others.
func (d *decision) keep() {
	now := d.view.At
	for p := range d.view.Promises().Begun(now) {
		j := d.view.Job(p.Job)
		switch {
		case p.Until > now:
			d.wakeAt(p.Until)
			if d.view.Candidate(j) && !d.arrived(j) {
				d.start(j, p)
			}
		case d.view.Candidate(j):
			d.refuse(j, cluster.WhyCut, seconds(p.Until-p.From))
		}
	}
	if next := d.view.Promises().Next(now); next != nil {
		d.wakeAt(next.From)
	}
}

// arrived reports whether the job has its nodes and all its tasks are there to stay. One that is still to be resumed is
// not, even if it is being paused on the node to which it returns.
func (d *decision) arrived(j *cluster.Job) bool {
	held := d.Target.Get(j.ID)
	if held == nil {
		return false
	}
	for i := range j.Tasks {
		m := d.view.Move(cluster.TaskID{Job: j.ID, Index: i})
		if t := &j.Tasks[i]; t.Phase != cluster.Done && (t.Node != held.Nodes[i] || m != nil && m.Kind.Frees()) {
			return false
		}
	}
	return true
}

// start places a job on its promised nodes. If one of them does not take it, the promise is lost.
func (d *decision) start(j *cluster.Job, p *cluster.Promise) {
	for _, id := range p.Nodes {
		if n := d.view.Node(id); d.view.Condition(n) != cluster.NodeOpen || n.Ceiling(j.Spec) < j.Spec.Need {
			d.refuse(j, cluster.WhyPromiseLost, int64(id))
			return
		}
	}
	d.Hold(j.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(j.Spec.Need), Nodes: p.Nodes})
	d.Explain(j, cluster.WhyPlaced, 1000)
}

// asking lists the jobs to be answered, by id: those that came, and, when nodes changed or a job ended, those without a
// deadline that found no node open before.
func (d *decision) asking(news cluster.Occasion) []cluster.JobID {
	jobs := slices.Clone(news.Submitted)
	if news.NodesChanged || news.Ended {
		for j := range d.view.Unpromised() {
			if d.view.Candidate(j) {
				jobs = append(jobs, j.ID)
			}
		}
	}
	slices.Sort(jobs)
	return slices.Compact(jobs)
}

// admit answers jobs in the order of their ids. Each sees the intervals that were granted to those before it.
func (d *decision) admit(jobs []cluster.JobID) {
	if len(jobs) == 0 {
		return
	}
	d.ledger.mutex.Lock()
	defer d.ledger.mutex.Unlock()
	d.ledger.follow(d.view)
	for i, id := range jobs {
		if d.view.Promises().Of(id) != nil || d.Target.Get(id) != nil {
			continue // it was released, or restarted
		}
		if p := d.ask(d.view.Job(id)); p != nil && i+1 < len(jobs) {
			d.ledger.book(p)
			defer d.ledger.release(p, 0) // until the decision is adopted
		}
	}
}

// ask grants a job an interval or refuses it.
func (d *decision) ask(j *cluster.Job) *cluster.Promise {
	w, now := d.view.Window(j), d.view.At
	q := Request{Ready: max(w.Ready, now), Deadline: w.Deadline, Lasts: w.Lasts, Nodes: j.Live()}
	if q.Deadline == 0 {
		q.Deadline = calendar.Never
	}
	able := 0
	q.Among, able = d.among(j)
	switch {
	case q.Lasts == 0:
		d.refuse(j, cluster.WhyNoEstimate)
		return nil
	case able < q.Nodes:
		d.refuse(j, cluster.WhyTooFewNodes, int64(able), int64(q.Nodes))
		return nil
	}
	start, nodes := d.ledger.Find(d.ledger.calendar, d.rule, q)
	switch {
	case start == calendar.Never && w.Deadline == 0:
		d.Explain(j, cluster.WhyNoNode, policy.NoNode(d.view, j, q.Nodes).Values...)
		return nil
	case start == calendar.Never:
		d.refuse(j, cluster.WhyNotReserved, int64(q.Nodes), seconds(q.Lasts), seconds(q.Ready-j.Submitted),
			seconds(max(q.Ready, w.Deadline)-j.Submitted))
		return nil
	}
	d.promises = append(d.promises, cluster.Promise{Job: j.ID, From: start, Until: start + q.Lasts,
		Nodes: slices.Collect(nodes.All())})
	p := &d.promises[len(d.promises)-1]
	if start == now {
		d.wakeAt(p.Until)
		d.start(j, p)
	} else {
		d.wakeAt(start)
		d.Explain(j, cluster.WhyReserved, seconds(start-j.Submitted))
	}
	return p
}

// alarms asks for a decision when the next promised interval begins or is over.
func (d *decision) alarms() []cluster.Alarm {
	if d.wake == 0 {
		return nil
	}
	return []cluster.Alarm{{At: d.wake, Kind: cluster.AlarmPromise}}
}

func (d *decision) wakeAt(at cluster.Time) {
	if d.wake == 0 || at < d.wake {
		d.wake = at
	}
}

// refuse refuses the job, whether or not it runs.
func (d *decision) refuse(j *cluster.Job, code cluster.ReasonCode, values ...int64) {
	if d.Target.Get(j.ID) != nil {
		d.Hold(j.ID, nil)
	}
	d.Refuse(j, code, values...)
}

// seconds rounds a time up to whole seconds.
func seconds(t cluster.Time) int64 { return int64((t + cluster.Second - 1) / cluster.Second) }
