package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/manager/cycle"
	"aliquot/migrate"
	"aliquot/policy"
	"aliquot/workload"
)

// Setup is what a stream of jobs runs on.
type Setup struct {
	Nodes   []Node
	Policy  policy.Policy
	Penalty cluster.Time                       // for rescheduling a job
	Tell    func(at cluster.Time, line string) // what happens, for people; nil: nobody listens
	Inspect func(s *cluster.State) error       // called when an instant ends; its error ends the run; nil: no
}

// Node is a modelled node.
type Node struct {
	Name   string
	CPU    cluster.CPU
	Memory cluster.Bytes
}

// Units returns that many nodes on which a stream's fraction 1 just fits, named n1, n2, ...
func Units(count int) []Node {
	nodes := make([]Node, count)
	for i := range nodes {
		nodes[i] = Node{fmt.Sprint("n", i+1), workload.UnitCPU, workload.UnitMemory}
	}
	return nodes
}

// Run simulates the jobs, which are ordered by submission, until all have ended. It fails
// if a job could never run, or if nothing would ever happen again although jobs wait.
func Run(setup Setup, jobs []workload.Job) (Result, error) {
	m := newSimulation(setup, jobs)
	for m.err == nil && (m.next < len(jobs) || len(m.active) > 0) {
		at := m.upcoming()
		if at == never {
			return Result{}, fmt.Errorf("at %.6g s nothing will ever happen again, but %d jobs have not ended, the first of them %v: %v",
				m.now.Seconds(), len(m.active), m.active[0].id, m.s.Job(m.active[0].id).Why)
		}
		m.instant(at)
	}
	return Result{Jobs: m.done}, m.err
}

const never = cluster.Time(math.MaxInt64)

// simulation is a run under way.
type simulation struct {
	Setup
	s       *cluster.State
	now     cluster.Time
	jobs    []workload.Job
	next    int    // of jobs, not yet submitted
	active  []*run // submitted and not ended, by id
	touched map[cluster.JobID]bool
	done    []Outcome
	err     error
}

// run is a job that has been submitted and has not ended.
type run struct {
	Outcome
	id     cluster.JobID
	nodes  []cluster.NodeID // then, sorted; nil: it held none
	share  cluster.CPU
	finish cluster.Time // when it will end as things are
	paid   cluster.Time // when its penalty will have been paid
}

const image = "trace@sha256:0000000000000000000000000000000000000000000000000000000000000000"

var root = cluster.Actor{Name: "sim", Owner: "sim", Project: "sim", Role: cluster.System}

func newSimulation(setup Setup, jobs []workload.Job) *simulation {
	m := &simulation{
		Setup: setup, jobs: jobs, touched: map[cluster.JobID]bool{},
		s: cluster.New([16]byte{1}, cluster.PolicyChoice{Name: "simulated", Period: cluster.Minute}),
	}
	name, digest, _ := strings.Cut(image, "@sha256:")
	m.do(cluster.PutImage{Image: cluster.Image{Name: name, Digest: digest, Kind: "kernel", Size: 1}})
	m.do(cluster.Claim{Replica: 1, Term: 1})
	for _, n := range setup.Nodes {
		id := m.do(cluster.Join{Name: n.Name, Boot: "1", Description: cluster.Description{CPU: n.CPU, Memory: n.Memory}}).Node
		m.report(map[cluster.NodeID][]cluster.Observation{id: nil})
	}
	return m
}

// do applies a command now; one that is rejected ends the run.
func (m *simulation) do(a cluster.Action) cluster.Result {
	r := m.s.Apply(m.s.Revision+1, cluster.Command{At: m.now, Actor: root, Epoch: m.s.Epoch, Action: a})
	if r.Rejection != nil && m.err == nil {
		m.err = fmt.Errorf("at %.6g s, %T: %w", m.now.Seconds(), a, r.Rejection)
	}
	for _, e := range r.Events {
		if e.Job != 0 {
			m.touched[e.Job] = true
		}
	}
	return r
}

// upcoming is the time of the next event.
func (m *simulation) upcoming() cluster.Time {
	at := never
	if m.next < len(m.jobs) {
		at = m.jobs[m.next].Submit
	}
	for _, r := range m.active {
		at = min(at, r.finish, r.paid)
	}
	if wake := m.s.View(m.now).WakeAt(); wake > m.now {
		at = min(at, wake)
	}
	return at
}

// instant lets everything happen that happens at one time.
func (m *simulation) instant(at cluster.Time) {
	m.now = at
	m.finish()
	m.thaw()
	m.submit()
	m.decide()
	m.settle()
	if m.Inspect != nil && m.err == nil {
		m.err = m.Inspect(m.s)
	}
}

// finish ends the jobs whose processing time is over.
func (m *simulation) finish() {
	seen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if r.finish <= m.now {
			m.each(r, seen, cluster.Observation{Seen: cluster.SeenExited, Exit: &cluster.Exit{}})
			r.Ended = m.now
		}
	}
	m.report(seen)
	m.active = slices.DeleteFunc(m.active, func(r *run) bool {
		if r.finish > m.now {
			return false
		}
		m.done = append(m.done, r.Outcome)
		m.tell("%v ends after %s, stretch %.2f", r.id, span(r.Turnaround()), r.Stretch())
		return true
	})
}

// thaw lets the jobs go on that have paid.
func (m *simulation) thaw() {
	seen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if r.paid <= m.now {
			r.paid = never
			m.each(r, seen, cluster.Observation{Seen: cluster.SeenRunning})
			m.tell("%v has paid and goes on", r.id)
		}
	}
	m.report(seen)
}

func (m *simulation) submit() {
	for ; m.next < len(m.jobs) && m.jobs[m.next].Submit <= m.now; m.next++ {
		j := m.jobs[m.next]
		r := m.do(cluster.Submit{Spec: &cluster.Spec{
			Owner: "sim", Project: "sim", Image: image, Tasks: j.Tasks, Need: j.Need,
			Requirement: cluster.Requirement{Memory: j.Memory},
		}})
		if m.err != nil {
			m.err = fmt.Errorf("job %d: %w", j.ID, m.err)
			return
		}
		m.active = append(m.active, &run{Outcome: Outcome{Job: j, Started: never}, id: r.Job, finish: never, paid: never})
	}
}

// most is how many decisions and rounds of moves one instant may take before it counts as
// a loop; a decision and the moves of its plan take a handful.
const most = 10_000

// decide lets the cycle propose until it has nothing more to propose. Moves take no time.
func (m *simulation) decide() {
	unlimited := migrate.Limits{PerNode: math.MaxInt, Total: math.MaxInt}
	for range most {
		action := cycle.Step(m.s.View(m.now), m.Policy, unlimited)
		if action == nil || m.err != nil {
			return
		}
		m.do(action)
		m.obey()
	}
	m.err = fmt.Errorf("at %.6g s the policy never comes to rest", m.now.Seconds())
}

func (m *simulation) tell(format string, args ...any) {
	if m.Tell != nil {
		m.Tell(m.now, fmt.Sprintf(format, args...))
	}
}
