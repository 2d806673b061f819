package cluster

import "slices"

// Orders lists everything that should exist on one node. It is complete, not a difference, so repeating it is harmless.
// A monitor refuses orders older than the last it accepted.
type Orders struct {
	Cluster    [16]byte
	Generation uint64
	Epoch      uint64
	Revision   uint64
	Node       NodeID
	Runs       []Order // by run
	// Revision of the orders from which on the leader awaits a report of what is here: see Node.Awaited.
	Awaited uint64
	Destroy []RunID // VMs to destroy: strays that have ended or were superseded, and condemned runs; sorted
}

// Order is the order for one run on the node.
type Order struct {
	Run      RunID
	Want     Want
	Move     MoveID // that this carries out; 0: none
	CPU      CPU    // cap of the whole VM, in millicores
	Tier     Tier
	Core     CoreID // processor of the node that its VM is bound to, from 1; 0: none. It means nothing to a VM that leaves
	Spec     *Spec
	Project  string
	Platform string  // that the run is bound to; "" before its first start
	Peer     string  // Leave, Arrive: the migration URI of the other node
	Aborted  bool    // abandon the move if that is still possible
	Address  Address // of the job's first task; the others follow in a row; zero: the VM has no network
	Bits     int     // length of the prefix of its subnet
	Segment  Segment // of the network that the VM is in
	Rate     int     // the most that its network card sends, and the most that it gets, in Mbit/s; 0: no limit
}

// Want is the action that the leader orders for a run on a node.
type Want uint8

// The orders for a run.
const (
	Stay    Want = iota + 1 // a VM that is here goes on, with this cap and tier
	Begin                   // start a new VM
	Restore                 // start it from its saved image, then delete the image
	Save                    // save its memory image to the store, then destroy it
	Leave                   // migrate it to the peer
	Arrive                  // it comes from another node: let it run once that node has released it
	Vanish                  // destroy it, its work is lost
)

func (w Want) String() string {
	return [...]string{"", "stay", "begin", "restore", "save", "leave", "arrive", "vanish"}[w]
}

// Orders returns the orders for the node, which must exist.
func (s *State) Orders(id NodeID) Orders {
	o := Orders{Cluster: s.Cluster, Generation: s.Generation, Epoch: s.Epoch, Revision: s.Revision, Node: id}
	for j := range s.jobsAt(id) {
		moves := s.movesOf(j.ID)
		for i := range j.Tasks {
			var m *Move
			if len(moves) > 0 && moves[0].Task.Index == i {
				m, moves = moves[0], moves[1:]
			}
			if order, ok := s.order(j, i, m, id); ok {
				o.Runs = append(o.Runs, order)
			}
		}
	}
	n := s.Node(id)
	o.Awaited = n.Awaited
	for _, run := range n.Strays {
		if s.Over(run) && !contains(n.Condemned, run) {
			o.Destroy = append(o.Destroy, run)
		}
	}
	for _, run := range n.Condemned {
		if !o.mentions(run) {
			o.Destroy = append(o.Destroy, run)
		}
	}
	slices.SortFunc(o.Destroy, RunID.Compare)
	return o
}

// mentions reports whether o.Runs has an order for the run.
func (o *Orders) mentions(run RunID) bool {
	_, found := slices.BinarySearchFunc(o.Runs, run, func(order Order, run RunID) int { return order.Run.Compare(run) })
	return found
}

// order returns the order for the task on the node, and whether the task concerns the node. m is the task's move under
// way, or nil.
func (s *State) order(j *Job, index int, m *Move, node NodeID) (o Order, concerns bool) {
	t := &j.Tasks[index]
	if m == nil && (t.Node != node || !t.Present()) || m != nil && m.From != node && m.To != node {
		return o, false
	}
	o = Order{
		Run: RunID{j.ID, index, t.Run}, CPU: t.Cap, Tier: t.Tier, Core: s.Core(j.ID, index, node),
		Spec: j.Spec, Project: j.Spec.Project, Platform: t.Platform,
		Address: j.Address, Segment: j.Segment,
	}
	if j.Address != 0 {
		o.Bits, o.Rate = s.Subnet.Bits, s.Subnet.Rate
	}
	switch {
	case m == nil:
		o.Want = Stay
		return o, true
	case m.From == node:
		o.Want = map[MoveKind]Want{Stop: Vanish, Pause: Save, Migrate: Leave, Resize: Stay}[m.Kind]
	default:
		o.Want = map[MoveKind]Want{Start: Begin, Resume: Restore, Migrate: Arrive}[m.Kind]
	}
	o.Run.Number, o.Move, o.CPU, o.Tier, o.Aborted = m.Run, m.ID, m.CPU, m.Tier, m.Aborted
	if m.Kind == Migrate {
		o.Peer = s.peer(m, node)
	}
	return o, true
}

// Core returns the processor of the node that the target binds the task to; 0: none, or the node has it no more.
func (s *State) Core(id JobID, index int, node NodeID) CoreID {
	p := s.Target(id)
	if p == nil || p.Nodes[index] != node || !s.Node(node).Description.binds(p.Core(index)) {
		return 0
	}
	return p.Core(index)
}

// peer returns the migration URI of the other end of a migration. It returns "" if the destination is down or if either
// end has no URI: then nothing must be sent.
func (s *State) peer(m *Move, node NodeID) string {
	from, to := s.Node(m.From), s.Node(m.To)
	switch {
	case from == nil || to == nil || to.Health == Down || from.Description.MigrateURI == "" ||
		to.Description.MigrateURI == "":
		return ""
	case m.From == node:
		return to.Description.MigrateURI
	}
	return from.Description.MigrateURI
}

// Current reports whether the run is the present one of its task: neither ended nor superseded.
func (s *State) Current(run RunID) bool {
	t := s.task(run.Task())
	if t == nil {
		return false
	}
	if m := s.Move(run.Task()); m != nil && m.Kind == Start {
		return m.Run == run.Number
	}
	return t.Run == run.Number && t.Phase != Done && t.Phase != Idle
}

// Home returns the node that has the VM of a current run or is making it, or 0.
func (s *State) Home(run RunID) NodeID {
	if !s.Current(run) {
		return 0
	}
	if node := s.task(run.Task()).Node; node != 0 {
		return node
	}
	if m := s.Move(run.Task()); m != nil {
		return m.To
	}
	return 0
}

// Over reports whether the state knows that the run has ended or was superseded. A run that the state never heard of,
// because it is younger than a restored backup, is not over.
func (s *State) Over(run RunID) bool {
	t := s.task(run.Task())
	if t == nil {
		return s.Forgotten(run.Job)
	}
	latest := t.Run
	if m := s.Move(run.Task()); m != nil {
		latest = m.Run
	}
	return run.Number <= latest && !s.Current(run)
}

// Forgotten reports whether the job has ended, remembered in the history or not. A job that the state never heard of is
// not forgotten.
func (s *State) Forgotten(id JobID) bool {
	unheard := slices.ContainsFunc(s.Unheard, func(g Gap) bool { return g.From <= id && id < g.To })
	return id < s.NextJob && !unheard && s.Job(id) == nil
}

// task returns the task of a job that has not ended, or nil.
func (s *State) task(id TaskID) *Task {
	j := s.Job(id.Job)
	if j == nil || id.Index < 0 || id.Index >= len(j.Tasks) {
		return nil
	}
	return &j.Tasks[id.Index]
}

// Saved reports whether the store must keep a memory image of the run.
func (s *State) Saved(run RunID) bool {
	if !s.Current(run) {
		return false
	}
	m := s.Move(run.Task())
	return s.Job(run.Job).Tasks[run.Index].Phase == Saved || m != nil && (m.Kind == Pause || m.Kind == Resume)
}
