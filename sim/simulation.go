package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/wording"
	"aliquot/workload"
)

// Run simulates the jobs, which are ordered by submission, until all have ended. It fails
// if a job could never run and is not to be skipped (Refused), if the policy decides what
// cannot be, or if nothing would ever happen again although jobs wait.
func Run(setup Setup, jobs []workload.Job) (Result, error) {
	return newSimulation(setup, jobs).run()
}

// run goes from instant to instant until all jobs have ended.
func (m *simulation) run() (Result, error) {
	if err := CheckEvents(m.Events, m.Nodes, m.jobs); err != nil {
		return Result{}, err
	}
	if err := m.refusal(m.impossible()); err != nil {
		return Result{}, err
	}
	for m.next < len(m.jobs) || m.active > 0 {
		at := m.upcoming()
		if at == never {
			return Result{}, m.stalled()
		}
		if err := m.instant(at); err != nil {
			return Result{}, fmt.Errorf("at %.10g s %w", at.Seconds(), err)
		}
	}
	if err := m.refusal(m.result.Skipped); err != nil {
		return Result{}, err // with all that the policy refused, not only the first of them
	}
	return m.result, nil
}

const never = cluster.Time(math.MaxInt64)

// simulation is a run under way.
type simulation struct {
	Setup
	model    *cluster.Model
	view     *cluster.View
	now      cluster.Time
	jobs     []workload.Job
	next     int                     // of jobs, not yet submitted
	coming   int                     // of Events, have not happened yet
	ids      map[int64]cluster.JobID // by the stream's names; nil: no event or beginning needs them
	moves    *PlannedMoves           // nil: a plan takes no time
	arrivals []arrival               // of moves under way, the next first
	speeds   []cluster.Parts         // of nodes, by id; nil: all are at full speed, always
	runs     []*run                  // by job id, from 1; nil: ended
	active   int                     // submitted and not ended
	going    int                     // of these, make progress
	barren   int                     // instants since any made progress
	queue    queue
	touched  []*run // in this instant
	count    []int  // by node, all zero between calls
	demand   cluster.CPU
	offer    cluster.CPU
	result   Result
}

// image is what all jobs name; nobody looks at it.
const image = "trace@sha256:0000000000000000000000000000000000000000000000000000000000000000"

func newSimulation(setup Setup, jobs []workload.Job) *simulation {
	if setup.Cost == nil {
		setup.Cost = Constant(setup.Penalty)
	}
	if setup.Physics == nil {
		setup.Physics = Caps{}
	}
	m := &simulation{Setup: setup, jobs: jobs, model: cluster.NewModel(), count: make([]int, len(setup.Nodes)+1)}
	m.view = m.model.View()
	if moves, slow := setup.Cost.(PlannedMoves); slow {
		m.moves = &moves
		m.model.Tarry()
	}
	for _, n := range setup.Nodes {
		m.join(n)
	}
	m.expect()
	m.model.Consult(oracle{m})
	return m
}

// join adds a node, which is as it is at the beginning.
func (m *simulation) join(n Node) {
	id := m.model.Join(n.Name, cluster.Description{CPU: n.CPU, Memory: n.Memory, Labels: n.Labels})
	m.result.capacity += n.CPU
	m.offer += n.CPU
	switch n.Condition {
	case cluster.NodeClosed:
		m.model.SetNode(id, cluster.Cordon)
	case cluster.NodeLeaving:
		m.model.SetNode(id, cluster.Drain)
		m.offer -= n.CPU
	}
}

func (m *simulation) spec(j *workload.Job) *cluster.Spec {
	return &cluster.Spec{
		Owner: "sim", Project: "sim", Image: image, Tasks: j.Tasks, Need: j.Need,
		Requirement: cluster.Requirement{Memory: j.Memory}, Placement: m.Initials[j.ID].Rules,
		FailOnLoss: j.FailOnLoss,
	}
}

// upcoming is the time of the next event.
func (m *simulation) upcoming() cluster.Time {
	at := m.queue.next()
	if m.next < len(m.jobs) {
		at = min(at, m.jobs[m.next].Submit)
	}
	if m.coming < len(m.Events) {
		at = min(at, m.Events[m.coming].At)
	}
	if len(m.arrivals) > 0 {
		at = min(at, m.arrivals[0].at)
	}
	wake := m.view.WakeAt()
	switch {
	case wake <= m.now:
	case m.active > 0:
		at = min(at, wake)
	case wake < at:
		// Of the ticks at which nobody is there, one stands for all: decided on last, it leaves
		// the next tick where it would be after all of them, since ticks keep to their grid.
		at--
	}
	return at
}

// instant lets everything happen that happens at one time: ends, penalties that have been
// paid, moves that are complete, submissions by id, events of the stream in their order, and one decision on all of it.
func (m *simulation) instant(at cluster.Time) error {
	if err := m.pass(at); err != nil {
		return err
	}
	for m.queue.next() <= at {
		if r := m.queue[0]; r.finish <= at {
			m.end(r)
		} else {
			m.thaw(r)
		}
	}
	m.arrive()
	for ; m.next < len(m.jobs) && m.jobs[m.next].Submit <= at; m.next++ {
		if err := m.submit(&m.jobs[m.next]); err != nil {
			return err
		}
	}
	for ; m.coming < len(m.Events) && m.Events[m.coming].At <= at; m.coming++ {
		m.happen(&m.Events[m.coming])
	}
	if err := m.decide(); err != nil {
		return err
	}
	if m.moves != nil {
		if err := m.move(); err != nil {
			return err
		}
	}
	m.settle()
	m.flow()
	return m.show()
}

// Limits within which a run must come to an end.
const (
	mostRounds = 1_000   // decisions in an instant; one is normal
	mostBarren = 100_000 // instants in a row without progress of any job
)

// pass lets time go on to the next instant.
func (m *simulation) pass(at cluster.Time) error {
	passed := at - m.now
	m.result.wanted += float64(min(m.demand, m.offer)) * passed.Seconds()
	m.barren++
	if m.going > 0 || m.active == 0 || m.coming < len(m.Events) || len(m.arrivals) > 0 {
		m.barren = 0
	}
	if m.barren > mostBarren {
		if m.idle() {
			return m.stalled()
		}
		return fmt.Errorf(
			"none of %d jobs has made progress for %d instants: rescheduling takes all the time, so choose a longer period or a smaller penalty", m.active, mostBarren)
	}
	m.now = at
	m.model.Pass(at)
	m.result.Instants++
	return nil
}

// end ends a run whose processing time is over.
func (m *simulation) end(r *run) {
	m.close(r)
	m.goes(r, false)
	r.finish = never
	m.queue.update(r)
	m.model.End(r.job.ID)
	r.Ended = m.now
	m.result.Jobs = append(m.result.Jobs, r.Outcome)
	m.leave(r)
	m.tell(r.job.ID, Event{Kind: Ends, Took: r.Turnaround(), Stretch: r.Stretch()})
}

// leave forgets a run.
func (m *simulation) leave(r *run) {
	m.runs[r.job.ID-1] = nil
	m.active--
	if !r.job.Held {
		m.demand -= r.wants()
	}
}

// thaw lets a run go on that has paid.
func (m *simulation) thaw(r *run) {
	m.close(r)
	r.paid = never
	m.model.Stall(r.job.ID, false)
	m.goes(r, true)
	m.foresee(r)
	m.tell(r.job.ID, Event{Kind: GoesOn})
}

// goes notes whether a run makes progress.
func (m *simulation) goes(r *run, on bool) {
	if on && !r.going {
		m.going++
	} else if !on && r.going {
		m.going--
	}
	r.going = on
}

func (m *simulation) submit(j *workload.Job) error {
	id, rejection := m.model.Submit(m.spec(j))
	if rejection != nil {
		m.skip(id, Skipped{Job: *j, Why: m.why(j, rejection)})
		m.runs = append(m.runs, nil)
		return nil
	}
	r := &run{Outcome: Outcome{Job: *j, Started: never}, job: m.view.Job(id), finish: never, paid: never}
	m.runs = append(m.runs, r)
	m.active++
	m.demand += r.wants()
	m.touch(r)
	m.begun(r)
	return nil
}

func (m *simulation) touch(r *run) {
	if !r.touched {
		r.touched = true
		m.touched = append(m.touched, r)
	}
}

// decide adopts what the policy decides until there is nothing more to decide.
func (m *simulation) decide() error {
	for range mostRounds {
		seen := m.view.Pending()
		if seen.Empty() {
			return nil
		}
		var begin time.Duration
		if m.Clock != nil {
			begin = m.Clock()
		}
		d := m.Policy.Decide(m.view)
		if m.Clock != nil {
			m.result.Timing.add(m.active, m.Clock()-begin)
		}
		m.result.Decisions++
		if d.Fallback != nil {
			return fmt.Errorf("the policy does not decide by its own rule: %w", d.Fallback)
		}
		if m.Tell == nil {
			d.Why = nil
		} else if d.Weighed != nil && d.Weighed.Jobs > 0 {
			m.tell(0, Event{Kind: Weighs, Weighed: d.Weighed})
		}
		if err := m.adopt(scheduler.Adoption(m.view, seen, d)); err != nil {
			return err
		}
	}
	return fmt.Errorf("the policy never comes to rest: it was asked %d times", mostRounds)
}

func (m *simulation) adopt(a cluster.Adopt) error {
	for _, refusal := range a.Refuse {
		r := m.runs[refusal.Job-1]
		m.skip(refusal.Job, Skipped{r.Job, unwilling(refusal.Reason), true})
		m.leave(r)
	}
	for _, id := range a.Drop {
		m.touch(m.runs[id-1])
	}
	for _, h := range a.Set {
		m.touch(m.runs[h.Job-1])
	}
	if err := m.model.Adopt(a); err != nil {
		return fmt.Errorf("the policy decides what cannot be: %w", err)
	}
	return nil
}

// show lets others look at what the instant came to.
func (m *simulation) show() error {
	if m.Inspect != nil {
		if err := m.Inspect(m.model); err != nil {
			return err
		}
	}
	if m.Watch != nil && m.result.Instants%1024 == 0 {
		return m.Watch(Progress{m.now, len(m.jobs), m.next, m.next - m.active})
	}
	return nil
}

// idle reports whether no job holds anything.
func (m *simulation) idle() bool {
	return !slices.ContainsFunc(m.runs, func(r *run) bool { return r != nil && r.held != nil })
}

// stalled explains why nothing will ever happen again.
func (m *simulation) stalled() error {
	first := m.runs[slices.IndexFunc(m.runs, func(r *run) bool { return r != nil })].job
	why := first.Why
	if d := m.Policy.Decide(m.view); d.Why != nil {
		for r := range d.Why {
			if r.Job == first.ID {
				why = r
			}
		}
	}
	return fmt.Errorf(
		"at %.10g s nothing will ever happen again, and %d of the jobs have not ended, the first of them %v: %v",
		m.now.Seconds(), m.active, first.ID, wording.Reason(why, wording.Names{}))
}
