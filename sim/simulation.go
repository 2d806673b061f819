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

// Run simulates the jobs, which must be ordered by submission, until all have ended. It fails if a job could never run
// and is not to be skipped (Refused), if the policy makes an invalid decision, or if jobs wait although nothing will
// ever happen again.
func Run(setup Setup, jobs []workload.Job) (Result, error) {
	return newSimulation(setup, jobs).run()
}

// run goes from instant to instant until all jobs have ended.
func (m *simulation) run() (Result, error) {
	if err := CheckEvents(m.Events, m.Nodes, m.jobs); err != nil {
		return Result{}, err
	}
	if err := m.After.Check(m.jobs); err != nil {
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
		return Result{}, err // with all jobs that the policy refused, not only the first
	}
	return m.result, nil
}

const never = cluster.Time(math.MaxInt64)

// simulation is a simulation in progress.
type simulation struct {
	Setup
	model    *cluster.Model
	view     *cluster.View
	now      cluster.Time
	jobs     []workload.Job
	next     int                     // index of the next job to submit
	coming   int                     // index of the next event of Events
	ids      map[int64]cluster.JobID // ids by the stream's ids; nil: no event needs them
	moves    *PlannedMoves           // nil: moves take no time
	arrivals []arrival               // moves under way, the next to complete first
	speeds   []cluster.Parts         // speeds of nodes, by id; nil: always full speed
	runs     []*run                  // by job id, from 1; nil: ended
	active   int                     // number of jobs submitted and not ended
	going    int                     // number of jobs that make progress
	barren   int                     // number of instants since a job made progress
	queue    queue
	crowds
	waits
	touched []*run // runs with an event in this instant
	count   []int  // by node, all zero between calls
	demand  cluster.CPU
	offer   cluster.CPU
	result  Result
}

// image is the image of all jobs; it is never used.
const image = "trace@sha256:0000000000000000000000000000000000000000000000000000000000000000"

func newSimulation(setup Setup, jobs []workload.Job) *simulation {
	if setup.Cost == nil {
		setup.Cost = Constant(setup.Penalty)
	}
	if setup.Physics == nil {
		setup.Physics = Tiers{}
	}
	m := &simulation{Setup: setup, jobs: jobs, model: cluster.NewModel(), count: make([]int, len(setup.Nodes)+1)}
	m.view, m.result.nodes, m.waits = m.model.View(), len(setup.Nodes), newWaits(setup.After)
	m.result.Jobs = slices.Grow(m.result.Jobs, len(jobs))
	if moves, slow := setup.Cost.(PlannedMoves); slow {
		m.moves = &moves
		m.model.DelayMoves()
	}
	for _, n := range setup.Nodes {
		m.join(n)
	}
	m.expect()
	m.model.Consult(oracle{m})
	return m
}

// join adds a node in its initial condition.
func (m *simulation) join(n Node) {
	id := m.model.Join(n.Name, n.description())
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
		FailOnLoss: j.FailOnLoss, Class: j.Class,
	}
}

// upcoming returns the time of the next event.
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
		// With no active job, all ticks before the next submission are equivalent, so only the last is simulated. Ticks keep
		// to their grid, so the next tick comes when it would after all of them.
		at--
	}
	return at
}

// instant simulates everything that happens at one time, in this order: ends and paid penalties, completed moves,
// submissions by id, events of the stream, and one decision on all of it.
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
		if err := m.come(&m.jobs[m.next]); err != nil {
			return err
		}
	}
	if err := m.submitReady(); err != nil {
		return err
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

// Limits that end a run that makes no headway.
const (
	mostRounds = 1_000   // decisions in one instant; one is normal
	mostBarren = 100_000 // successive instants without progress of any job
)

// pass advances the time to the next instant.
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

// end ends a run whose work is done.
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
	m.concluded(r.ID, true)
}

// leave removes a run that has ended.
func (m *simulation) leave(r *run) {
	m.runs[r.job.ID-1] = nil
	m.enter(r, r.held, -1)
	m.active--
	if !r.job.Held {
		m.demand -= r.wants()
	}
}

// thaw lets a run continue that has paid its penalty.
func (m *simulation) thaw(r *run) {
	m.close(r)
	r.paid = never
	m.model.Stall(r.job.ID, false)
	m.goes(r, true)
	m.foresee(r)
	m.ask(r)
	m.tell(r.job.ID, Event{Kind: GoesOn})
}

// goes records whether a run makes progress.
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
		m.concluded(j.ID, false)
		return nil
	}
	o := Outcome{Job: *j, Started: never, Foreground: never}
	if len(m.After[j.ID]) > 0 {
		o.Eligible = m.now
	}
	r := &run{Outcome: o, job: m.view.Job(id), finish: never, paid: never}
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

// decide adopts decisions of the policy until no occasion is pending.
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
		if err := m.adopt(scheduler.Adoption(m.view, seen, d), d.Promise); err != nil {
			return err
		}
	}
	return fmt.Errorf("the policy never comes to rest: it was asked %d times", mostRounds)
}

func (m *simulation) adopt(a cluster.Adopt, promises []cluster.Promise) error {
	for _, id := range a.Drop {
		m.touch(m.runs[id-1])
	}
	for _, h := range a.Set {
		m.touch(m.runs[h.Job-1])
	}
	for _, id := range a.Kill {
		m.giveUp(m.runs[id-1])
	}
	for _, refusal := range a.Refuse {
		m.dismiss(refusal)
	}
	if err := m.model.Promise(promises); err != nil {
		return fmt.Errorf("the policy promises what cannot be: %w", err)
	}
	if err := m.model.Adopt(a); err != nil {
		return fmt.Errorf("the policy decides what cannot be: %w", err)
	}
	return nil
}

// dismiss ends a job that the policy refuses. One that was promised nodes before loses its reservation.
func (m *simulation) dismiss(refusal cluster.Refusal) {
	r := m.runs[refusal.Job-1]
	if m.view.Promises().Of(refusal.Job) == nil {
		declined := refusal.Reason.Code == cluster.WhyNotReserved || refusal.Reason.Code == cluster.WhyTooDear
		m.skip(refusal.Job, Skipped{r.Job, unwilling(refusal.Reason), true, declined})
		m.leave(r)
		m.concluded(r.ID, false)
		return
	}
	m.close(r)
	m.rest(r)
	r.Ended = m.now
	m.result.Stopped = append(m.result.Stopped, Stopped{r.Outcome, cluster.Failed, true})
	m.leave(r)
	m.tell(refusal.Job, Event{Kind: Misses, Why: refusal.Reason})
	m.concluded(r.ID, false)
}

// show calls the observers at the end of an instant.
func (m *simulation) show() error {
	if m.Inspect != nil {
		if err := m.Inspect(m.model); err != nil {
			return err
		}
	}
	if m.Watch != nil && m.result.Instants%1024 == 0 {
		return m.Watch(Progress{m.now, len(m.jobs), m.next, m.next - m.active - len(m.here)})
	}
	return nil
}

// idle reports whether no job has a placement.
func (m *simulation) idle() bool {
	return !slices.ContainsFunc(m.runs, func(r *run) bool { return r != nil && r.held != nil })
}

// stalled returns the error that explains why nothing will ever happen again.
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
