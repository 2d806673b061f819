package backfill

import (
	"iter"
	"math"
	"slices"
	"sync"

	"aliquot/cluster"
	"aliquot/policy"
)

// decision is the state of one decision. Later decisions reuse its buffers, never their content.
type decision struct {
	rule
	policy.Draft // if it explains, every job is examined

	view *cluster.View
	now  cluster.Time
	news cluster.Occasion

	inventory
	rack    rack           // used only if the policy packs by cores
	held    []holder       // jobs that held nodes when the decision began, by id
	kept    []holder       // jobs whose promises are in force, by id; the view leaves them out
	ahead   []holder       // of held, those that no examined job has passed yet
	started []holder       // jobs that this decision starts
	blocked []*cluster.Job // jobs whose promised start is still to be found
	given   int            // number of promises, those to blocked jobs included
	booked  bool           // the classes have calendars with all promises except those to blocked jobs
	head    cluster.JobID  // the first job that has to wait; 0: none yet

	early    []cluster.Refusal // of Refusals, those of jobs that were just submitted
	releases []release         // expected ends of the jobs that hold nodes, in order; valid once starts are promised
}

// holder is a job that holds nodes.
type holder struct {
	id        cluster.JobID
	placement *cluster.Placement // nil: the job gave its nodes up
	leaving   bool               // it has to leave a node, but cannot be paused
	end       cluster.Time       // expected end; set for those of started and kept
}

var decisions = sync.Pool{New: func() any { return new(decision) }}

// begin sets up a decision: the nodes, and the jobs that hold them.
func begin(v *cluster.View, r rule, news cluster.Occasion) *decision {
	d := decisions.Get().(*decision)
	d.rule, d.view, d.now, d.news, d.Target = r, v, v.At, news, v.TargetAll()
	d.takePromises()
	d.inventory.take(v)
	for id, p := range d.Target.All() {
		d.held = append(d.held, holder{id: id, placement: p})
		d.irregular = d.irregular || p.Guaranteed != p.Cap
	}
	d.initRack()
	return d
}

// end returns the buffers to the pool. Objects that they still refer to stay alive until the buffers are reused or
// the pool drops them.
func (d *decision) end() {
	d.inventory.empty()
	if d.packs {
		d.rack.empty()
	}
	*d = decision{
		inventory: d.inventory, rack: d.rack,
		held: d.held[:0], kept: d.kept[:0], started: d.started[:0], blocked: d.blocked[:0], releases: d.releases[:0],
	}
	decisions.Put(d)
}

func (d *decision) decide() {
	d.relieve()
	d.adjust()
	for _, id := range d.news.Submitted {
		d.refuse(d.view.Job(id))
	}
	d.early, d.ahead = d.Refusals, d.held
	if d.departs {
		d.examineEach(d.view.Jobs())
	} else {
		d.examineEach(d.view.Waiting(d.widest))
	}
}

// examineEach examines the waiting jobs by id. If some node has to be left, it examines jobs that hold nodes too,
// because some of them have to be placed anew.
func (d *decision) examineEach(jobs iter.Seq[*cluster.Job]) {
	for j := range jobs {
		if !d.examine(j) {
			return
		}
	}
}

// examine starts the job, promises it a start, or refuses it. It reports whether later jobs are worth examining.
func (d *decision) examine(j *cluster.Job) bool {
	h := d.holder(j.ID)
	switch {
	case h != nil && !h.leaving && h.placement != nil:
	case d.done():
		return false
	case d.hopeless(j) || !d.view.Candidate(j) || refused(d.early, j.ID) || d.refuse(j):
	default:
		d.consider(j, h)
	}
	return true
}

// holder returns the job's part in held, or nil. Calls must be in the order of ids.
func (d *decision) holder(id cluster.JobID) *holder {
	for len(d.ahead) > 0 && d.ahead[0].id < id {
		d.ahead = d.ahead[1:]
	}
	if len(d.ahead) == 0 || d.ahead[0].id != id {
		return nil
	}
	return &d.ahead[0]
}

// refused reports whether the job is in the list, which is ordered by id.
func refused(list []cluster.Refusal, id cluster.JobID) bool {
	_, found := slices.BinarySearchFunc(list, id, func(r cluster.Refusal, id cluster.JobID) int {
		return int(r.Job) - int(id)
	})
	return found
}

// done reports whether no other job can start. A thorough decision is never done: it examines all jobs.
func (d *decision) done() bool {
	return (d.free == 0 || d.promises == 0 && d.head != 0) && !d.thorough()
}

func (d *decision) thorough() bool {
	return d.Explains || d.news.NodesChanged || d.news.Rings(cluster.AlarmTick)
}

// widest returns the greatest number of tasks of a job that is worth examining: the number of free nodes once all
// promises are made, otherwise no limit.
func (d *decision) widest() int {
	if d.crowded() {
		return d.free
	}
	return math.MaxInt
}

// crowded reports whether jobs wider than the free nodes can be skipped because all promises are made.
func (d *decision) crowded() bool { return d.given >= d.promises && d.head != 0 && !d.thorough() }

// hopeless reports, by the job's size alone, that it can neither start nor be promised a start. It ignores jobs that
// have started: tasks that have ended make a job narrower than its list of tasks.
func (d *decision) hopeless(j *cluster.Job) bool {
	return len(j.Tasks) > d.free && d.crowded() && j.Started == 0
}

// consider places a job that waits or has to leave its nodes, or blocks it.
func (d *decision) consider(j *cluster.Job, h *holder) {
	if d.promises == 0 && d.head != 0 {
		d.Explain(j, cluster.WhyBehind, int64(d.head))
		return
	}
	if h != nil && h.leaving {
		d.count(j, h.placement, -1)
	}
	r := d.request(j)
	switch {
	case !d.start(&r):
		if h != nil && h.leaving {
			d.count(j, h.placement, 1)
		}
		d.block(&r)
	case h != nil:
		h.placement = nil
	}
}

// block makes a job that cannot start now wait for its turn. A job that the open nodes could not take even if they
// were free gets no promise; only FCFS lets it block others, unless it can never go on.
func (d *decision) block(r *request) {
	able, at := d.able(r), never
	if d.stranded(r.Job, able) {
		return
	}
	if d.given < d.promises && able >= r.tasks {
		d.blocked = append(d.blocked, r.Job)
		d.given++
		if d.Explains {
			at = d.promise()
		}
	}
	d.explainWait(r, able, at)
	if d.head == 0 && (d.promises == 0 || d.given > 0) {
		d.head = r.ID
	}
}
