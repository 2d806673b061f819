package cluster

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Check verifies the invariants of the state and returns an error that lists all broken ones:
//
//   - a job that has not ended has a live task, or is about to be moved to the history;
//   - a placement belongs to a schedulable job, names an existing node for each live
//     task and none for the others, and holds a grant that its need allows;
//   - a task has a node exactly if its VM exists, and an image exactly if it is saved; a killed one has a VM or a move;
//   - work is observed only of VMs that exist, and no more than all of a cap is stolen;
//   - a task has trouble only if its last move failed;
//   - a move under way belongs to a task in the phase that it begins with;
//   - the nodes' loads and occupied memory are the sums over targets, VMs and moves;
//   - the indexes hold exactly what they index;
//   - the pending occasion names schedulable jobs, in order;
//   - a promise belongs to a schedulable job, and names an existing node for each live task and none for the others,
//     unless it is broken; promises never exceed what a node has, and cost no more than the budgets of their jobs;
//   - the parts of a promise follow each other, are no more than MaxParts, and hold the work that its job lacks;
//   - a node that is absent is down, and nothing uses it;
//   - every address is in the subnet and belongs to one job;
//   - run times are of jobs that ran, and no more than are kept;
//   - the agenda is as NewAgenda makes it.
func (s *State) Check() error {
	var broken []error
	fail := func(format string, args ...any) { broken = append(broken, fmt.Errorf(format, args...)) }
	for j := range s.Jobs() {
		s.checkJob(j, fail)
	}
	for id, p := range s.target.All() {
		s.checkPlacement(id, p, fail)
	}
	for m := range s.Moves() {
		s.checkMove(m, fail)
	}
	if len(broken) == 0 { // sums of what does not exist cannot be computed
		s.checkSums(fail)
	}
	s.checkPromises(fail)
	s.checkExperience(fail)
	s.checkStarts(fail)
	s.checkOffers(fail)
	s.checkStandings(fail)
	for i, id := range s.Occasion.Submitted {
		if j := s.Job(id); j == nil || !j.Schedulable() || i > 0 && s.Occasion.Submitted[i-1] >= id {
			fail("occasion names %v, which is ended, held, or out of order", id)
		}
	}
	if !slices.Equal(s.Agenda, NewAgenda(s.Agenda)) {
		fail("the agenda is out of order, too long, or has alarms that no decision may ask for: %v", s.Agenda)
	}
	return errors.Join(broken...)
}

type failFunc func(format string, args ...any)

func (s *State) checkJob(j *Job, fail failFunc) {
	if j.Live() == 0 || j.Ended != 0 || len(j.Tasks) != j.Spec.Tasks {
		fail("%v has %d live tasks of %d and ended at %d", j.ID, j.Live(), len(j.Tasks), j.Ended)
	}
	if n := len(s.open(j.Spec)); j.Waits != n {
		fail("%v waits for %d jobs, and %d have not ended", j.ID, j.Waits, n)
	}
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Present() != (t.Node != 0) || t.Present() && s.Node(t.Node) == nil {
			fail("%v/%d is %v on node %d", j.ID, i, t.Phase, t.Node)
		}
		if t.Killed && !t.Present() && s.Move(TaskID{j.ID, i}) == nil {
			fail("%v/%d is %v and killed", j.ID, i, t.Phase)
		}
		if (t.Phase == Saved) != (t.Image != 0) {
			fail("%v/%d is %v with an image of %d", j.ID, i, t.Phase, t.Image)
		}
		if t.Trouble != nil && t.Attempts == 0 {
			fail("%v/%d has the trouble %v without a failed move", j.ID, i, *t.Trouble)
		}
		if p := t.Progress; p != nil && (!p.sound() || *p == Progress{} || !t.Present()) {
			fail("%v/%d is %v with the progress %+v", j.ID, i, t.Phase, *p)
		}
	}
}

func (s *State) checkPlacement(id JobID, p *Placement, fail failFunc) {
	j := s.Job(id)
	if j == nil || !j.Schedulable() || len(p.Nodes) != len(j.Tasks) || !p.Suits(j.Spec.Need) {
		fail("%v holds %+v but has ended, is held, or is of another shape", id, p)
		return
	}
	for i, n := range p.Nodes {
		if (n == 0) != (j.Tasks[i].Phase == Done) || n != 0 && s.Node(n) == nil {
			fail("%v/%d is %v and placed on node %d", id, i, j.Tasks[i].Phase, n)
		}
	}
	if p.Cores == nil {
		return
	}
	for i := range max(len(p.Cores), len(p.Nodes)) {
		if len(p.Cores) != len(p.Nodes) || p.Nodes[i] == 0 && p.Cores[i] != 0 {
			fail("%v holds nodes %v and processors %v", id, p.Nodes, p.Cores)
			return
		}
	}
}

func (s *State) checkPromises(fail failFunc) {
	promised := s.promisedByNode()
	for p := range s.promises.all() {
		j := s.Job(p.Job)
		if j == nil || !j.Schedulable() || p.From >= p.Until || !p.Broken() && len(p.Nodes) != len(j.Tasks) {
			fail("%v is promised %+v but has ended, is held, or is of another shape", p.Job, p)
			continue
		}
		if most := j.Spec.Budget; p.Price < 0 || most > 0 && p.Price > most {
			fail("the promise to %v costs %v, and its budget is %v", p.Job, p.Price, most)
		}
		if !p.measurable() {
			fail("the promise to %v has the margin %v, and is measured since %v", p.Job, p.Margin, p.Since)
		}
		s.checkParts(j, p, fail)
		for part := range p.at(j, s.Now).each() {
			s.checkPart(j, part, promised, fail)
		}
	}
}

func (s *State) checkPart(j *Job, p *Promise, promised map[NodeID][]booking, fail failFunc) {
	if !p.Broken() && len(p.Nodes) != len(j.Tasks) {
		fail("%v is promised %+v, which is of another shape", p.Job, p)
		return
	}
	for i, n := range p.Nodes {
		if (n == 0) != (j.Tasks[i].Phase == Done) || n != 0 && s.Node(n) == nil {
			fail("%v/%d is %v and promised node %d", p.Job, i, j.Tasks[i].Phase, n)
		} else if n != 0 && p.Until > s.Now {
			s.checkPromised(s.Node(n), promised[n], max(p.Due(), s.Now), fail)
		}
	}
}

// checkParts checks that the parts of a promise follow each other, and that those which have not begun hold the work
// that the job lacks by then.
func (s *State) checkParts(j *Job, p *Promise, fail failFunc) {
	parts := p.Parts()
	if len(parts) > MaxParts || len(parts) > 1 && (p.Work == 0 || p.Broken()) {
		fail("%v is promised %d parts: %+v", p.Job, len(parts), p)
	}
	for i, part := range parts {
		if part.From >= part.Until || i > 0 && part.From-p.Lead < parts[i-1].Until ||
			i > 0 && part.Until-part.From < shortest(p.Lead) {
			fail("%v is promised %+v, whose parts overlap or are too short", p.Job, p)
		}
	}
	now := p.at(j, s.Now)
	held, wants := now.Until-now.From+now.laterLength(), now.Work > 0 && !now.Broken() && !now.Short
	if wants && s.Now < now.Due() && held < now.left(j, s.Now) {
		fail("%v lacks %v, and is promised %v: %+v", p.Job, now.left(j, s.Now), held, now)
	}
}

func (s *State) checkExperience(fail failFunc) {
	for _, times := range []tree[*RunTimes]{s.experience, s.speeds} {
		if n := times.Len(); n > maxCategories {
			fail("run times of %d categories are kept", n)
		}
		for r := range times.all() {
			if !r.sound() {
				fail("%+v on %q: run times %v of %d runs", r.Category, r.On, r.Latest, r.Runs)
			}
		}
	}
}

func (s *State) checkStarts(fail failFunc) {
	if n := s.boots.Len(); n > maxBoots {
		fail("starts of %d images are kept", n)
	}
	for b := range s.boots.all() {
		if !b.sound() {
			fail("VMs of %q took %v to start", b.Digest, b.Latest)
		}
	}
	wrong := func(p Parts) bool { return p < 0 || p > mostMargin }
	if len(s.losses) > mostLosses || slices.ContainsFunc(s.losses, wrong) {
		fail("promises lost %v", s.losses)
	}
	if !measured(s.starts, maxStarts) || !measured(s.restores, maxStarts) {
		fail("starts took %v, and restores %v", s.starts, s.restores)
	}
}

// promisedByNode lists what is promised of each node, without the indexes.
func (s *State) promisedByNode() map[NodeID][]booking {
	all := map[NodeID][]booking{}
	for p := range s.promises.all() {
		if j := s.Job(p.Job); j != nil {
			for part := range p.at(j, s.Now).each() {
				for _, n := range part.Nodes {
					all[n] = append(all[n], booking{part.Due(), part.Until, j.Spec.Need, s.Charge(j.Spec)})
				}
			}
		}
	}
	return all
}

// checkPromised adds up what is promised and offered of the node at one moment.
func (s *State) checkPromised(n *Node, promised []booking, at Time, fail failFunc) {
	var sum Offer
	for _, k := range promised {
		if k.from <= at && at < k.until {
			sum.CPU, sum.Memory = sum.CPU+k.cpu, sum.Memory+k.memory
		}
	}
	for answer := range s.answersNow() {
		held := s.offeredOf(n, answer.offers, at)
		sum.CPU, sum.Memory = sum.CPU+held.CPU, sum.Memory+held.Memory
	}
	down := n.Health == Down && n.InMaintenance() == nil || n.closed(at, at+1)
	if c := n.Capacity(); down || sum.CPU > c.CPU || sum.Memory > c.Memory {
		fail("%v and %v of node %d are promised at %d, and it is %v with %v and %v", sum.CPU, sum.Memory, n.ID, at, n.Health,
			c.CPU, c.Memory)
	}
}

// offeredOf returns the most of the node that one of the offers to a submission takes at a moment.
func (s *State) offeredOf(n *Node, answer []*JobOffer, at Time) (most Offer) {
	for _, o := range answer {
		for part := range o.Promise.each() {
			if tasks := count(part.Nodes, n.ID); part.Due() <= at && at < part.Until {
				most.CPU = max(most.CPU, o.Spec.Need*CPU(tasks))
				most.Memory = max(most.Memory, s.Charge(o.Spec)*Bytes(tasks))
			}
		}
	}
	return most
}

func (s *State) checkOffers(fail failFunc) {
	promised := s.promisedByNode()
	for o := range s.offers.all() {
		p := &o.Promise
		if o.ID >= s.NextOffer || o.First > o.ID || o.Expires > p.Due() || p.Job != 0 || p.From >= p.Until ||
			len(p.Nodes) != o.Spec.Tasks || len(p.Parts()) > MaxParts {
			fail("%v is of another shape: %+v", o.ID, o)
			continue
		}
		for part := range p.each() {
			for _, n := range part.Nodes {
				if o.Expires > s.Now {
					s.checkPromised(s.Node(n), promised[n], max(part.Due(), s.Now), fail)
				}
			}
		}
	}
	if s.offers.Len() > maxOffers {
		fail("%d offers are held", s.offers.Len())
	}
}

func (s *State) checkMove(m *Move, fail failFunc) {
	j := s.Job(m.Task.Job)
	if j == nil || m.Task.Index >= len(j.Tasks) {
		fail("move %d is of %v, which does not exist", m.ID, m.Task)
		return
	}
	t := &j.Tasks[m.Task.Index]
	ok := map[MoveKind]bool{
		Start: t.Phase == Idle, Resume: t.Phase == Saved,
		Pause: t.Phase == Running, Migrate: t.Phase == Running,
		Resize: t.Present(), Stop: t.Present(),
	}[m.Kind]
	if !ok || m.From != t.Node {
		fail("%v is under way for %v, which is %v on node %d", m.Kind, m.Task, t.Phase, t.Node)
	}
}

func (s *State) checkSums(fail failFunc) {
	fresh := s.Clone()
	fresh.recount()
	fresh.reindex()
	same(fail, "condemned runs", s.contests.all(), fresh.contests.all())
	same(fail, "jobs by node", s.located.all(), fresh.located.all())
	same(fail, "ended jobs by time", s.pasts.all(), fresh.pasts.all())
	same(fail, "holdings by node", s.held.all(), fresh.held.all())
	same(fail, "jobs that hold nothing", s.waiting.all(), fresh.waiting.all())
	same(fail, "jobs that are not as they should be", s.unsettled.all(), fresh.unsettled.all())
	same(fail, "jobs of other classes", s.others.all(), fresh.others.all())
	same(fail, "retries", s.retries.all(), fresh.retries.all())
	same(fail, "turns of promises", s.turns.all(), fresh.turns.all())
	s.sameShelves(fresh, fail)
	if have, want := s.up(), fresh.up(); have != want {
		fail("nodes that are not down are counted with %v, the sum is %v", have, want)
	}
	same(fail, "deadlines", s.deadlines.all(), fresh.deadlines.all())
	same(fail, "nodes in maintenance", s.serviced.all(), fresh.serviced.all())
	same(fail, "nodes with strays", s.astray.all(), fresh.astray.all())
	same(fail, "uses of quotas", s.uses.all(), fresh.uses.all())
	same(fail, "addresses", s.blocks.all(), fresh.blocks.all())
	s.checkBlocks(fail)
	same(fail, "silent nodes", s.silent.all(), fresh.silent.all())
	same(fail, "requests by time", s.ages.all(), fresh.ages.all())
	same(fail, "refusals by time", s.latest.all(), fresh.latest.all())
	if !slices.EqualFunc(slices.Collect(s.senders.all()), slices.Collect(fresh.senders.all()), sent.same) {
		fail("the index of requests by sender is not that of the %d requests", s.requests.Len())
	}
	if !s.vacancies.equal(fresh.vacancies) {
		fail("the index of what is left of nodes is not that of their sums")
	}
	for n := range s.nodes.all() {
		if n.Absent && (n.Health != Down || s.inUse(n.ID)) {
			fail("node %d is absent, but it is %v or in use", n.ID, n.Health)
		}
		if want := fresh.Node(n.ID); n.Load != want.Load || n.Occupied != want.Occupied {
			fail("node %d counts %+v and %d, the sums are %+v and %d", n.ID, n.Load, n.Occupied, want.Load, want.Occupied)
		}
	}
	var reserved Bytes
	for m := range s.Moves() {
		reserved += m.Image
	}
	if reserved != s.reserved {
		fail("store space reserved is %d, the sum is %d", s.reserved, reserved)
	}
}

// same compares an index with a new one.
func same[T comparable](fail failFunc, what string, index, fresh iter.Seq[T]) {
	if have, want := slices.Collect(index), slices.Collect(fresh); !slices.Equal(have, want) {
		fail("the index of %s is %v, it should be %v", what, have, want)
	}
}
