package cluster

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Window is the time that a job asks to be reserved for it, in microseconds.
type Window struct {
	Ready    Time // earliest start; past or zero: at once
	Deadline Time // latest end; zero: none
	Lasts    Time // reserved duration; zero: unknown
}

// Window returns the time that the job asks to be reserved for it.
func (v *View) Window(j *Job) Window { return v.oracle.Window(j) }

// Window returns the submitter's estimate as the duration. Specifications of jobs have neither a ready time nor a
// deadline.
func (e estimates) Window(j *Job) Window { return Window{Lasts: j.Spec.estimated()} }

// Promise is an interval on nodes that is kept for a job. A Promise is immutable.
type Promise struct {
	Job         JobID
	From, Until Time // in microseconds
	// Nodes are, in a Model, one for each task, or none: the policy chooses them later. In a State they are those of the
	// tasks, by index; nil: there is no room for the job any more. Invariant: in a State, a node is 0 if and only if its
	// task has ended.
	Nodes []NodeID
	Lead  Time // before From, in which the VMs are started, in microseconds; 0 in a Model
	Met   bool // a decision was adopted after the promise fell due for these Nodes; false in a Model
	// The following are zero for reservations and in a Model.
	Work  Time  // running time at the full need that a job is promised before its deadline, in microseconds
	Ready Time  // the job does not run before, in microseconds
	Base  Time  // virtual time of the job when its tasks began their work, in microseconds
	Wake  Time  // next time at which it asks for a decision, in microseconds
	Price Price // that its owner agreed to; 0 for those that were made before promises had prices
	// Margin is the part of its work for whose length its nodes are kept besides; 0: leastMargin, below Format 7.
	// Invariant: 0, or from leastMargin to mostMargin
	Margin Parts
	Since  Time // from which its losses in force are measured, in microseconds; 0: they are not
	Had    Time // virtual time of the job then, in microseconds
	// Later are the parts that follow the interval, in order, if the work is promised in several; nil: it is promised at a
	// stretch. Invariant: each falls due when the one before has ended, or later; no Promise has more than MaxParts.
	Later []Part
	Short bool // a part was over before its work was done, and the later ones hold less than the job lacked then
}

func (p *Promise) compare(o *Promise) int {
	return cmp.Or(cmp.Compare(p.From, o.From), cmp.Compare(p.Job, o.Job))
}

// Promises are the promises of a Model, made by its policy, to jobs that have not ended. Those of a State are its own.
// Nothing refuses a placement that breaks one: the policy that made it has to keep it.
//
// Invariant: no node is promised to two jobs at once; see Check.
type Promises struct {
	jobs    map[JobID]*Promise
	starts  tree[*Promise]
	none    queue           // the jobs without a promise, placed or not
	changes []PromiseChange // the latest, in order
	dropped int             // number of earlier ones
}

// PromiseChange is a promise that was made, or that ended because its job did.
type PromiseChange struct {
	*Promise
	Made  bool
	Ended Time // when the job ended; zero if the promise was made
}

// mostChanges bounds the changes that Promises keep.
const mostChanges = 1 << 14

func newPromises() *Promises {
	return &Promises{jobs: map[JobID]*Promise{},
		starts: newTree(func(a, b *Promise) bool { return a.compare(b) < 0 })}
}

// Promises returns the promises that a policy can make; nil: none, because this is the view of a State.
func (v *View) Promises() *Promises { return v.promises }

// Of returns the promise to a job, or nil.
func (p *Promises) Of(id JobID) *Promise { return p.jobs[id] }

// Unpromised yields, by id, the jobs without a placement and without a promise. It takes no time for the others. The
// view must be that of a Model.
func (v *View) Unpromised() iter.Seq[*Job] {
	none := &v.promises.none
	return v.shown(func(yield func(*Job) bool) {
		for id := none.next(0, 0); id != 0; id = none.next(id, 0) {
			if v.Target(id) == nil && !yield(v.Job(id)) {
				return
			}
		}
	})
}

// All yields the promises by start.
func (p *Promises) All() iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) { p.starts.Ascend(yield) }
}

// Begun yields the promises that begin at a time or before it, by start.
func (p *Promises) Begun(at Time) iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) { p.starts.AscendLessThan(&Promise{From: at + 1}, yield) }
}

// Next returns the first promise that begins after a time, or nil.
func (p *Promises) Next(at Time) (next *Promise) {
	p.starts.AscendGreaterOrEqual(&Promise{From: at + 1}, func(first *Promise) bool {
		next = first
		return false
	})
	return next
}

// Changes returns the changes since an earlier number of them, and their number now. known is false if some of them
// are no longer kept.
func (p *Promises) Changes(since int) (changes []PromiseChange, now int, known bool) {
	now = p.dropped + len(p.changes)
	if since < p.dropped || since > now {
		return nil, now, false
	}
	return p.changes[since-p.dropped:], now, true
}

// Check returns the first violation of the invariant, or nil.
func (p *Promises) Check() error {
	until := map[NodeID]*Promise{}
	for promise := range p.All() {
		for _, n := range promise.Nodes {
			if before := until[n]; before != nil && before.Until > promise.From {
				return fmt.Errorf("node %d is promised to %v until %d and to %v from %d", n, before.Job, before.Until, promise.Job,
					promise.From)
			}
			until[n] = promise
		}
	}
	return nil
}

func (p *Promises) note(c PromiseChange) {
	if p.changes = append(p.changes, c); len(p.changes) > mostChanges {
		p.dropped += mostChanges / 2
		p.changes = slices.Clone(p.changes[mostChanges/2:])
	}
}

// begin notes a new job, which has no promise.
func (p *Promises) begin(id JobID) { p.none.put(id, 0) }

// end notes that a job has ended, and ends the promise to it, if there is one.
func (p *Promises) end(id JobID, now Time) {
	p.none.put(id, nobody)
	if promise := p.jobs[id]; promise != nil {
		delete(p.jobs, id)
		p.starts.Delete(promise)
		p.note(PromiseChange{Promise: promise, Ended: now})
	}
}

// Promise keeps promises to jobs. It fails for a job that does not exist or has a promise, for an interval without
// length, and for nodes that do not exist or, if there are any, are not one for each live task.
func (m *Model) Promise(list []Promise) error {
	for i := range list {
		promise := &list[i]
		if !m.promisable(promise) {
			return fmt.Errorf("%v cannot be promised the nodes %v from %d until %d", promise.Job, promise.Nodes, promise.From,
				promise.Until)
		}
		m.view.promises.make(promise)
	}
	return nil
}

func (m *Model) promisable(p *Promise) bool {
	j := m.s.Job(p.Job)
	unknown := func(id NodeID) bool { return m.s.Node(id) == nil }
	named := len(p.Nodes)
	return j != nil && m.view.promises.Of(p.Job) == nil && p.From < p.Until && (named == 0 || named == j.Live()) &&
		!slices.ContainsFunc(p.Nodes, unknown)
}

func (p *Promises) make(promise *Promise) {
	p.jobs[promise.Job] = promise
	p.starts.ReplaceOrInsert(promise)
	p.none.put(promise.Job, nobody)
	p.note(PromiseChange{Promise: promise, Made: true})
}
