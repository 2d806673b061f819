package cluster

import (
	"iter"
	"slices"
	"sync"
)

func (a Adopt) apply(t *transaction) Result {
	for _, refusal := range a.Refuse {
		if j := t.Job(refusal.Job); j != nil && j.Schedulable() {
			t.end(t.edit(j.ID), Failed, Cause{Why: []Reason{refusal.Reason}})
		}
	}
	for _, why := range a.Why {
		if j := t.Job(why.Job); j != nil && j.Schedulable() {
			t.edit(why.Job).Why = why
		}
	}
	t.adopt(a)
	for _, h := range a.Set {
		if j := t.Job(h.Job); j != nil && j.Schedulable() && t.Target(h.Job) == nil {
			t.edit(h.Job).Why = Reason{Job: h.Job, Code: WhyNotDecided}
		}
	}
	t.clear(a)
	return Result{}
}

func (a Enact) apply(t *transaction) Result {
	if a.Basis != t.before {
		return reject(CodeStaleBasis, "basis", "the plan was made for revision %d, the state is at %d: ask for the plan again", a.Basis, t.before)
	}
	var result Result
	switch wish := a.Wish.(type) {
	case nil:
	case SetPolicy:
		if r := t.require(Admin); r != nil {
			return Result{Rejection: r}
		}
		result = wish.apply(t)
	case Submit, SetNode:
		result = wish.apply(t)
	default:
		return reject(CodeInvalid, "wish", "a plan cannot carry %T", wish)
	}
	if result.Rejection == nil {
		a.Decision.Basis = t.Revision
		a.Decision.apply(t)
	}
	return result
}

// adopt makes the decision the Target: as a whole if it fits, else as much as fits, what
// stays in place before what moves, both in the order given.
func (t *transaction) adopt(a Adopt) {
	before := t.Clone()
	whole := t.drop(a.Drop)
	set := t.indexed(a.Set)
	for _, h := range set {
		t.place(t.edit(h.Job), &h.Placement)
	}
	whole = whole && len(set) == len(a.Set)
	if !t.fits(before, t.changedSince(before)) {
		t.repair(set, before)
		whole = false
	}
	latest := a.Basis >= t.author.at // else what it is a difference to is no more
	if t.author = (author{at: t.Revision}); whole && latest {
		t.author.name = a.By
	}
	for _, h := range set {
		t.announce(h.Job, before.Target(h.Job))
	}
}

// drop takes placements away as long as the store has room for what is to be paused
// then. The others keep theirs: a job that cannot leave must not count as gone. It tells whether there were none.
func (t *transaction) drop(jobs []JobID) (all bool) {
	room := sync.OnceValue(t.spare)
	taken := Bytes(0)
	all = true
	for _, id := range jobs {
		if t.Target(id) == nil {
			continue
		}
		if need := t.saving(t.Job(id)); need > 0 {
			if taken+need > room() {
				t.edit(id).Why = Reason{Job: id, Code: WhyNoStore, Values: []int64{int64(need), int64(max(0, room()-taken))}}
				all = false
				continue
			}
			taken += need
		}
		t.place(t.edit(id), nil)
		t.emitJob(JobUnplaced, id, Cause{Why: []Reason{t.Job(id).Why}})
	}
	return all
}

// repair adopts the part of the decision that still fits. What does not stays as it was, if
// that fits.
func (t *transaction) repair(set []Holding, before *State) {
	for _, h := range set {
		t.place(t.edit(h.Job), nil)
	}
	slices.SortStableFunc(set, func(x, y Holding) int { return t.displaced(x) - t.displaced(y) })
	for _, h := range set {
		if !t.squeeze(h.Job, &h.Placement, before) {
			t.wish(h.Job)
			t.squeeze(h.Job, before.Target(h.Job), before)
		}
	}
}

// squeeze gives the job a placement if it fits.
func (t *transaction) squeeze(id JobID, p *Placement, before *State) bool {
	if p == nil {
		return false
	}
	t.place(t.edit(id), p)
	if t.fits(before, t.nodesOf(p)) {
		return true
	}
	t.place(t.edit(id), nil)
	return false
}

// announce emits what a decision changed for the job.
func (t *transaction) announce(id JobID, old *Placement) {
	p := t.Target(id)
	switch {
	case p == nil && old != nil:
		t.emitJob(JobUnplaced, id, Because(WhyNoFit))
	case p != nil && (old == nil || old.CPU != p.CPU || !slices.Equal(old.Nodes, p.Nodes)):
		t.emit(Event{Kind: JobPlaced, Job: id, Task: -1, CPU: p.CPU, Cause: Cause{Why: []Reason{t.Job(id).Why}}})
	}
}

// indexed drops the holdings that no longer apply and gives each of the others a node per task.
func (t *transaction) indexed(set []Holding) []Holding {
	var out []Holding
	for _, h := range set {
		j := t.Job(h.Job)
		if j == nil || !j.Schedulable() || j.Live() != len(h.Placement.Nodes) || h.Placement.CPU < 1 || h.Placement.CPU > j.Spec.Need || slices.Contains(h.Placement.Nodes, 0) {
			continue
		}
		if slices.ContainsFunc(h.Placement.Nodes, func(n NodeID) bool { return t.Node(n) == nil || t.Node(n).Health == Down }) {
			continue
		}
		h.Placement.Nodes = t.assign(j, h.Placement.Nodes)
		out = append(out, h)
	}
	return out
}

// assign gives each live task a node out of the multiset so that as many tasks as possible stay where they are.
func (s *State) assign(j *Job, multiset []NodeID) []NodeID {
	rest := slices.Clone(multiset)
	slices.Sort(rest)
	taken := make([]int, len(rest)) // of each node, at its first place in rest
	nodes := make([]NodeID, len(j.Tasks))
	take := func(i int, n NodeID) {
		first, found := slices.BinarySearch(rest, n)
		if n == 0 || nodes[i] != 0 || !found {
			return
		}
		if next := first + taken[first]; next < len(rest) && rest[next] == n {
			nodes[i] = n
			taken[first]++
		}
	}
	old := s.Target(j.ID)
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done {
			take(i, s.whereabouts(j, i))
		}
	}
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done && old != nil {
			take(i, old.Nodes[i])
		}
	}
	next := 0
	for i := range j.Tasks {
		for ; j.Tasks[i].Phase != Done && nodes[i] == 0; next++ {
			take(i, rest[next])
		}
	}
	return nodes
}

// whereabouts is the node that the task is on, or on its way to.
func (s *State) whereabouts(j *Job, index int) NodeID {
	if m := s.Move(TaskID{j.ID, index}); m != nil && m.To != 0 {
		return m.To
	}
	return j.Tasks[index].Node
}

// displaced counts the tasks that a holding would move.
func (t *transaction) displaced(h Holding) int {
	n, j := 0, t.Job(h.Job)
	for i := range j.Tasks {
		if j.Tasks[i].Phase != Done && t.whereabouts(j, i) != h.Placement.Nodes[i] {
			n++
		}
	}
	return n
}

// place gives the job a placement, or none, and keeps the nodes' loads.
func (t *transaction) place(j *Job, p *Placement) {
	if old := t.Target(j.ID); old != nil {
		t.count(j, old, -1)
		t.target.Delete(j.ID)
	}
	if p == nil {
		t.waiting.ReplaceOrInsert(j.ID)
		t.unsettled.ReplaceOrInsert(j.ID) // until it is known what is left of it
		return
	}
	t.count(j, p, 1)
	t.target.Set(j.ID, p)
	t.waiting.Delete(j.ID)
}

// count adds the placement to the loads of its nodes, or with sign -1 takes it away.
func (t *transaction) count(j *Job, p *Placement, sign int) {
	charge := t.Charge(j.Spec)
	for _, id := range p.Nodes {
		if id == 0 {
			continue
		}
		l := &t.editNode(id).Load
		l.Need += CPU(sign) * j.Spec.Need
		l.Share += CPU(sign) * p.CPU
		l.Memory += Bytes(sign) * charge
		l.Tasks += sign
	}
}

// changedSince yields the nodes that are not as before.
func (t *transaction) changedSince(before *State) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range t.nodes.since(before.nodes) {
			if !yield(n.now) {
				return
			}
		}
	}
}

// fits tells whether none of the nodes is promised more than it has, or more than it was promised before.
func (t *transaction) fits(before *State, nodes iter.Seq[*Node]) bool {
	for n := range nodes {
		c, old := n.Capacity(), before.Node(n.ID).Load
		if n.Load.Memory > max(c.Memory, old.Memory) || n.Load.Share > max(c.CPU, old.Share) {
			return false
		}
	}
	return true
}

// nodesOf yields the nodes of a placement.
func (t *transaction) nodesOf(p *Placement) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, id := range p.Nodes {
			if id != 0 && !yield(t.Node(id)) {
				return
			}
		}
	}
}

// clear takes what the decision saw out of the occasion.
func (t *transaction) clear(a Adopt) {
	open := make(map[JobID]bool, len(a.Set)) // decided on, but what was decided did not fit
	for _, h := range a.Set {
		open[h.Job] = t.Target(h.Job) == nil
	}
	seen := make(map[JobID]bool, len(a.Seen.Submitted))
	for _, id := range a.Seen.Submitted {
		seen[id] = !open[id]
	}
	t.Occasion.Submitted = slices.DeleteFunc(t.Occasion.Submitted, func(id JobID) bool { return seen[id] })
	if t.ended <= a.Basis {
		t.Occasion.Ended = false
	}
	t.forgetFreed(a.Basis)
	if t.changed <= a.Basis {
		t.Occasion.NodesChanged = false
	}
	if a.Basis == t.Revision || t.Agenda.Next(AlarmTick) == a.Tick { // else another policy was chosen meanwhile
		t.Agenda = t.agenda(a.Alarms)
	}
}
