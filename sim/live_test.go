package sim

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/wording"
	"aliquot/workload"
)

// live is the same simulation the long way. Only commands change a real State, the scheduler proposes decisions and
// moves, and modelled monitors carry the moves out and report their observations. It supports only the report's cost
// model and PlannedMoves. The results of Run must agree with it.
type live struct {
	Setup
	s       *cluster.State
	now     cluster.Time
	jobs    []workload.Job
	next    int                             // index of the next job to submit
	coming  int                             // index of the next event of Events
	due     map[cluster.MoveID]cluster.Time // completion times of moves under way
	boots   int                             // nodes that returned
	active  []*liveRun                      // submitted and not ended, by id
	touched map[cluster.JobID]bool
	done    []Outcome
	stopped []Stopped
	err     error
}

type liveRun struct {
	Outcome
	id     cluster.JobID
	nodes  []cluster.NodeID // sorted nodes at the last look; nil: none
	share  cluster.CPU
	finish cluster.Time // foreseen end; never: none
	paid   cluster.Time // end of its penalty
	base   cluster.Time // virtual time when its present work began
	begun  bool         // its present work has begun
}

var root = cluster.Actor{Name: "sim", Owner: "sim", Project: "sim", Role: cluster.System}

// runLive simulates the long way, with a live. The state must be sound after every instant.
func runLive(setup Setup, jobs []workload.Job) (Result, error) {
	m := &live{
		Setup: setup, jobs: jobs, touched: map[cluster.JobID]bool{}, due: map[cluster.MoveID]cluster.Time{},
		s: cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "simulated", Period: cluster.Minute}),
	}
	name, digest, _ := strings.Cut(image, "@sha256:")
	m.do(cluster.PutImage{Image: cluster.Image{Name: name, Digest: digest, Kind: "kernel", Size: 1}})
	m.do(cluster.Claim{Replica: 1, Term: 1})
	for _, n := range setup.Nodes {
		id := m.do(cluster.Join{Name: n.Name, Boot: "1", Description: cluster.Description{CPU: n.CPU, Memory: n.Memory}}).Node
		m.report(map[cluster.NodeID][]cluster.Observation{id: nil})
	}
	for m.err == nil && (m.next < len(jobs) || len(m.active) > 0) {
		m.instant(m.upcoming())
	}
	return Result{Jobs: m.done, Stopped: m.stopped}, m.err
}

func (m *live) do(a cluster.Action) cluster.Result {
	for m.now-m.s.Now > cluster.MaxStep { // the time that a leader shows
		m.s.Apply(m.s.Revision+1, cluster.Command{At: m.s.Now + cluster.MaxStep, Epoch: m.s.Epoch,
			Action: cluster.Checkpoint{}})
	}
	r := m.s.Apply(m.s.Revision+1, cluster.Command{At: m.now, Actor: root, Epoch: m.s.Epoch, Action: a})
	if r.Rejection != nil && m.err == nil {
		m.err = fmt.Errorf("at %.10g s, %T: %w", m.now.Seconds(), a, r.Rejection)
	}
	for _, e := range r.Events {
		if e.Job != 0 {
			m.touched[e.Job] = true
		}
	}
	return r
}

func (m *live) upcoming() cluster.Time {
	at := never
	if m.next < len(m.jobs) {
		at = m.jobs[m.next].Submit
	}
	if m.coming < len(m.Events) {
		at = min(at, m.Events[m.coming].At)
	}
	for _, r := range m.active {
		at = min(at, r.finish, r.paid)
	}
	for move := range m.s.Moves() {
		at = min(at, m.due[move.ID])
	}
	if wake := m.s.View(m.now).WakeAt(); wake > m.now {
		at = min(at, wake)
	}
	return at
}

func (m *live) instant(at cluster.Time) {
	if at == never {
		m.err = fmt.Errorf("at %.10g s nothing will ever happen again", m.now.Seconds())
		return
	}
	m.now = at
	m.finish()
	m.thaw()
	m.obey()
	m.submit()
	for ; m.err == nil && m.coming < len(m.Events) && m.Events[m.coming].At <= m.now; m.coming++ {
		m.happen(m.Events[m.coming])
	}
	m.decide()
	m.settle()
	if m.err == nil {
		m.err = m.s.Check()
	}
}

func (m *live) finish() {
	seen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if r.finish <= m.now {
			m.each(r, seen, cluster.Observation{Seen: cluster.SeenExited, Exit: &cluster.Exit{}})
			r.Ended = m.now
		}
	}
	m.report(seen)
	m.active = slices.DeleteFunc(m.active, func(r *liveRun) bool {
		if r.finish > m.now {
			return false
		}
		m.done = append(m.done, r.Outcome)
		m.tell(r.id, Event{Kind: Ends, Took: r.Turnaround(), Stretch: r.Stretch()})
		return true
	})
}

func (m *live) thaw() {
	seen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if r.paid <= m.now {
			r.paid = never
			m.each(r, seen, cluster.Observation{Seen: cluster.SeenRunning})
			m.tell(r.id, Event{Kind: GoesOn})
		}
	}
	m.report(seen)
}

func (m *live) submit() {
	for ; m.next < len(m.jobs) && m.jobs[m.next].Submit <= m.now; m.next++ {
		j := m.jobs[m.next]
		r := m.do(cluster.Submit{Spec: &cluster.Spec{
			Owner: "sim", Project: "sim", Image: image, Tasks: j.Tasks, Need: j.Need,
			Type:        fmt.Sprint("t", j.ID), // a State expects of jobs of one type what it has learnt, a Model knows
			Requirement: cluster.Requirement{Memory: j.Memory}, Estimate: m.Estimates.of(&j), FailOnLoss: j.FailOnLoss,
		}})
		if m.err != nil {
			return
		}
		m.active = append(m.active, &liveRun{Outcome: Outcome{Job: j, Started: never, Foreground: never},
			id: r.Job, finish: never, paid: never})
	}
}

func (m *live) decide() {
	for range mostRounds {
		action := new(scheduler.Backoff).Step(m.s.View(m.now), m.Policy, unlimited)
		if action == nil || m.err != nil {
			return
		}
		m.do(action)
		m.obey()
	}
	m.err = fmt.Errorf("at %.10g s the policy never comes to rest", m.now.Seconds())
}

// obey carries out all moves under way whose time has passed, as the nodes' monitors would.
func (m *live) obey() {
	frozen := map[cluster.NodeID][]cluster.Observation{}
	for move := range m.s.Moves() {
		if _, known := m.due[move.ID]; known {
			continue
		}
		m.due[move.ID] = m.now + m.takes(move)
		if move.Kind == cluster.Pause && m.due[move.ID] > m.now {
			o := cluster.Observation{Run: cluster.RunID{Job: move.Task.Job, Index: move.Task.Index, Number: move.Run},
				Seen: cluster.SeenFrozen}
			frozen[move.From] = append(frozen[move.From], o)
		}
	}
	m.report(frozen)
	seen, gone := map[cluster.NodeID][]cluster.Observation{}, map[cluster.NodeID][]cluster.Observation{}
	for move := range m.s.Moves() {
		if m.due[move.ID] > m.now {
			continue
		}
		o := cluster.Observation{
			Run:  cluster.RunID{Job: move.Task.Job, Index: move.Task.Index, Number: move.Run},
			Move: move.ID, Cap: move.CPU, Image: move.Image, Seen: cluster.SeenRunning,
		}
		at := move.To
		switch move.Kind {
		case cluster.Pause:
			o.Seen, at = cluster.SeenSaved, move.From
		case cluster.Stop:
			o.Seen, at = cluster.SeenAbsent, move.From
		case cluster.Migrate:
			o.Seen = cluster.SeenArrived
			gone[move.From] = append(gone[move.From], cluster.Observation{Run: o.Run, Seen: cluster.SeenAbsent})
		case cluster.Resize:
			at = move.From
		}
		seen[at] = append(seen[at], o)
	}
	m.report(seen)
	m.report(gone) // VMs that arrived elsewhere are to be destroyed at their source
}

// takes returns how long a move takes.
func (m *live) takes(move *cluster.Move) cluster.Time {
	moves, slow := m.Cost.(PlannedMoves)
	if !slow {
		return 0
	}
	return moves.Takes(move.Kind, &m.jobs[move.Task.Job-1])
}

func (m *live) report(seen map[cluster.NodeID][]cluster.Observation) {
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		m.do(cluster.Report{Node: id, Joined: math.MaxUint64, FenceAlive: true, StoreProven: true,
			StoreFree: 1 << 60, Observations: seen[id]})
	}
}

// each adds the same observation of every task of a running job.
func (m *live) each(r *liveRun, seen map[cluster.NodeID][]cluster.Observation, o cluster.Observation) {
	j := m.s.Job(r.id)
	for i := range j.Tasks {
		task := &j.Tasks[i]
		o.Run, o.Cap = cluster.RunID{Job: r.id, Index: i, Number: task.Run}, task.Cap
		seen[task.Node] = append(seen[task.Node], o)
	}
}

func (m *live) settle() {
	frozen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if m.touched[r.id] && m.err == nil {
			j := m.s.Job(r.id)
			if j == nil {
				m.err = fmt.Errorf("at %.10g s the policy refuses job %d: %s", m.now.Seconds(), r.ID,
					wording.Cause(m.s.Ended(r.id).Ending.Cause, wording.Names{}))
				return
			}
			nodes := whereabouts(j)
			m.charge(r, j, nodes)
			r.nodes, r.share = nodes, least(j)
			if r.paid != never {
				m.each(r, frozen, cluster.Observation{Seen: cluster.SeenFrozen})
			}
		}
	}
	m.report(frozen)
	for _, r := range m.active {
		if m.touched[r.id] && m.err == nil {
			r.finish = end(m.s.Job(r.id).Clock, r.Job.Need, r.base+r.Job.Runtime)
		}
	}
	clear(m.touched)
}

// whereabouts returns the nodes of a job's tasks, sorted; nil unless all run.
func whereabouts(j *cluster.Job) (nodes []cluster.NodeID) {
	for i := range j.Tasks {
		if j.Tasks[i].Phase != cluster.Running {
			return nil
		}
		nodes = append(nodes, j.Tasks[i].Node)
	}
	slices.Sort(nodes)
	return nodes
}

// least returns the least cap of a job's tasks.
func least(j *cluster.Job) cluster.CPU {
	cap := j.Spec.Need
	for i := range j.Tasks {
		cap = min(cap, j.Tasks[i].Observed)
	}
	return cap
}

func (m *live) charge(r *liveRun, j *cluster.Job, nodes []cluster.NodeID) {
	cpu := least(j)
	if nodes != nil && r.nodes == nil {
		r.Foreground = m.now
	}
	switch {
	case nodes == nil && r.nodes == nil:
		if r.Submit == m.now {
			m.tell(r.id, Event{Kind: Waits, Why: j.Why})
		}
	case nodes == nil:
		r.paid = never
		m.tell(r.id, Event{Kind: Pauses, Why: j.Why})
	case !r.begun:
		r.begun, r.Started = true, min(r.Started, m.now)
		m.tell(r.id, Event{Kind: Starts, Nodes: nodes, Share: cpu})
	case r.nodes == nil:
		r.Preemptions++
		m.tell(r.id, Event{Kind: Resumes, Nodes: nodes, Share: cpu, Until: m.penalise(r)})
	case !slices.Equal(nodes, r.nodes):
		r.Migrations++
		for _, n := range slices.Compact(slices.Clone(r.nodes)) {
			r.Moved += max(0, tally(r.nodes, n)-tally(nodes, n))
		}
		m.tell(r.id, Event{Kind: Moves, Left: r.nodes, Nodes: nodes, Share: cpu, Until: m.penalise(r)})
	case cpu != r.share:
		m.tell(r.id, Event{Kind: Gets, Share: cpu})
	}
}

func tally(nodes []cluster.NodeID, node cluster.NodeID) (count int) {
	for _, n := range nodes {
		if n == node {
			count++
		}
	}
	return count
}

func (m *live) penalise(r *liveRun) (until cluster.Time) {
	if m.Penalty == 0 {
		return 0
	}
	r.paid = m.now + m.Penalty
	return r.paid
}

// move applies a command and lets the nodes carry it out before anything else happens, if its moves take no time.
func (m *live) move() {
	_, slow := m.Cost.(PlannedMoves)
	for m.err == nil && !slow {
		moves := scheduler.Moves(m.s.View(m.now), unlimited)
		if moves == nil {
			return
		}
		m.do(moves)
		m.obey()
	}
}

// pardon ends the penalties of the jobs that run on a node, and returns these jobs. Jobs that lose their work have no
// penalty left to pay.
func (m *live) pardon(n cluster.NodeID) (there []*liveRun) {
	seen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if j := m.s.Job(r.id); !slices.Contains(whereabouts(j), n) {
			continue
		}
		there = append(there, r)
		if r.paid != never {
			m.each(r, seen, cluster.Observation{Seen: cluster.SeenRunning})
		}
	}
	m.report(seen)
	return there
}

// happen translates an event of the stream into commands.
func (m *live) happen(e workload.Event) {
	if e.Kind.AboutNode() {
		m.happenTo(m.s.NodeNamed(e.Node), e.Kind)
		return
	}
	i := slices.IndexFunc(m.active, func(r *liveRun) bool { return r.ID == e.Job })
	if i < 0 {
		return
	}
	r := m.active[i]
	held := m.s.Job(r.id).Held
	switch {
	case e.Kind == workload.JobHeld && !held:
		m.do(cluster.Hold{Job: r.id})
		m.move()
		m.tell(r.id, Event{Kind: Holds})
	case e.Kind == workload.JobReleased && held:
		m.do(cluster.Release{Job: r.id})
		m.tell(r.id, Event{Kind: Releases})
	case e.Kind == workload.JobCancels:
		m.do(cluster.Cancel{Job: r.id})
		m.move()
		m.stop(r, cluster.Cancelled)
	}
}

func (m *live) happenTo(n *cluster.Node, kind workload.EventKind) {
	switch kind {
	case workload.NodeDrains:
		m.do(cluster.SetNode{Node: n.ID, Want: cluster.Drain})
		m.tell(0, Event{Kind: Drains, Node: n.ID})
	case workload.NodeFails:
		if n.Health == cluster.Down {
			return
		}
		there := m.pardon(n.ID)
		m.do(cluster.SetHealth{Node: n.ID, Health: cluster.Silent})
		m.do(cluster.SetHealth{Node: n.ID, Health: cluster.Down})
		m.move()
		m.tell(0, Event{Kind: Fails, Node: n.ID})
		for _, r := range there {
			m.kill(r, n.ID)
		}
	case workload.NodeReturns:
		m.boots++
		m.do(cluster.Join{Name: n.Name, Boot: fmt.Sprint("again ", m.boots), Description: n.Description})
		m.report(map[cluster.NodeID][]cluster.Observation{n.ID: nil})
		m.do(cluster.SetNode{Node: n.ID, Want: cluster.Uncordon})
		m.tell(0, Event{Kind: Returns, Node: n.ID})
	}
}

// kill notes that the job lost its work, and ended if it fails on loss.
func (m *live) kill(r *liveRun, n cluster.NodeID) {
	r.nodes, r.begun, r.finish, r.paid = nil, false, never, never
	r.Kills++
	m.tell(r.id, Event{Kind: Killed, Node: n})
	if j := m.s.Job(r.id); j != nil {
		r.base = j.Clock.Virtual
		return
	}
	m.stop(r, cluster.Failed)
}

// stop notes that the job ended without its work being done.
func (m *live) stop(r *liveRun, why cluster.Outcome) {
	r.Ended = m.now
	m.stopped = append(m.stopped, Stopped{r.Outcome, why, false})
	m.active = slices.DeleteFunc(m.active, func(o *liveRun) bool { return o == r })
	m.tell(r.id, Event{Kind: Stops, Outcome: why})
}

func (m *live) tell(job cluster.JobID, e Event) {
	if m.Tell != nil {
		e.At, e.Job = m.now, job
		m.Tell(e)
	}
}
