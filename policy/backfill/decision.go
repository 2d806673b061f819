package backfill

import (
	"iter"
	"math"
	"slices"
	"sync"

	"aliquot/cluster"
)

// decision is one being made. Its buffers are used again by later ones, its content is not.
type decision struct {
	rule
	view     *cluster.View
	now      cluster.Time
	news     cluster.Occasion
	explains bool // every job is looked at, and what there is to say of it is said

	inventory
	rack    rack           // of a policy that packs
	held    []holder       // who holds nodes as the decision begins, by id
	started []holder       // who starts by this decision
	blocked []*cluster.Job // who is promised a start that is yet to be found
	given   int            // promises, those to blocked jobs included
	booked  bool           // the classes have calendars, with all promises but those to blocked jobs
	head    cluster.JobID  // the first that has to wait; 0: none yet

	target   cluster.Allocation
	cloned   bool // target is ours to change
	refusals []cluster.Refusal
	reasons  []cluster.Reason
	releases []release // scratch
}

// holder is a job with its nodes.
type holder struct {
	id        cluster.JobID
	placement *cluster.Placement // nil: it gave them up
	leaving   bool               // it has to leave one, but cannot stop
	end       cluster.Time       // of one that started
}

var decisions = sync.Pool{New: func() any { return new(decision) }}

// begin takes stock of nodes and of who holds them.
func begin(v *cluster.View, r rule, news cluster.Occasion) *decision {
	d := decisions.Get().(*decision)
	d.rule, d.view, d.now, d.news, d.target = r, v, v.At, news, v.TargetAll()
	d.inventory.take(v)
	for id, p := range d.target.All() {
		d.held = append(d.held, holder{id: id, placement: p})
		d.irregular = d.irregular || p.Guaranteed != p.Cap
	}
	d.furnish()
	return d
}

// end gives the buffers back. What they still point to stays alive until they are used again, or dropped by the pool.
func (d *decision) end() {
	d.inventory.empty()
	d.rack.empty()
	*d = decision{
		inventory: d.inventory, rack: d.rack,
		held: d.held[:0], started: d.started[:0], blocked: d.blocked[:0], releases: d.releases[:0],
	}
	decisions.Put(d)
}

func (d *decision) decide() {
	d.relieve()
	d.adjust()
	for _, id := range d.news.Submitted {
		d.refuse(d.view.Job(id))
	}
	early, held := d.refusals, d.held
	for j := range d.queue() {
		var h *holder
		for len(held) > 0 && held[0].id < j.ID {
			held = held[1:]
		}
		if len(held) > 0 && held[0].id == j.ID {
			h, held = &held[0], held[1:]
			if !h.leaving && h.placement != nil {
				continue
			}
		}
		switch {
		case d.done():
			return
		case d.hopeless(j) || !d.view.Candidate(j) || refused(early, j.ID) || d.refuse(j):
		default:
			d.consider(j, h)
		}
	}
}

// queue yields by id the jobs that wait, and where nodes have to be left, those that hold something too: some of them have
// to be placed anew.
func (d *decision) queue() iter.Seq[*cluster.Job] {
	if d.departs {
		return d.view.Jobs()
	}
	return d.view.Waiting(d.widest)
}

// refused tells whether the job is in the list, which is by id.
func refused(list []cluster.Refusal, id cluster.JobID) bool {
	_, found := slices.BinarySearchFunc(list, id, func(r cluster.Refusal, id cluster.JobID) int { return int(r.Job) - int(id) })
	return found
}

// done tells whether nobody else can start. All jobs are looked at nevertheless for what is to be said, and where a
// change of nodes may make jobs impossible, or another policy was in force before.
func (d *decision) done() bool {
	return (d.free == 0 || d.promises == 0 && d.head != 0) && !d.thorough()
}

func (d *decision) thorough() bool {
	return d.explains || d.news.NodesChanged || d.news.Rings(cluster.AlarmTick)
}

// widest is how many tasks a job may have that is worth a look: as many as nodes are free, once all promises are made.
func (d *decision) widest() int {
	if d.crowded() {
		return d.free
	}
	return math.MaxInt
}

// crowded tells whether who is too wide for the free nodes is promised nothing, so that there is nothing to say of it.
func (d *decision) crowded() bool { return d.given >= d.promises && d.head != 0 && !d.thorough() }

// hopeless tells, without looking at more than the job's size, that it cannot start and is promised nothing. A
// job some of whose tasks ended before all had started may be smaller than it looks.
func (d *decision) hopeless(j *cluster.Job) bool {
	return len(j.Tasks) > d.free && d.crowded() && j.Started == 0
}

// consider deals with a job that waits, or is leaving.
func (d *decision) consider(j *cluster.Job, h *holder) {
	if d.promises == 0 && d.head != 0 {
		d.explain(j, cluster.WhyBehind, int64(d.head))
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

// block makes a job that cannot start now wait for its turn. One that the open nodes could not
// take even if they were free is promised nothing, and blocks nobody but by FCFS.
func (d *decision) block(r *request) {
	able, at := d.able(r), never
	if d.given < d.promises && able >= r.tasks {
		d.blocked = append(d.blocked, r.Job)
		d.given++
		if d.explains {
			at = d.promise()
		}
	}
	d.explainWait(r, able, at)
	if d.head == 0 && (d.promises == 0 || d.given > 0) {
		d.head = r.ID
	}
}
