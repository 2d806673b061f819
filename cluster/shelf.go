package cluster

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// shelf lists what is promised and offered of a node. The index of all shelves is derived from promises and offers. It
// is neither stored nor hashed. A shelf is immutable, and one with nothing on it is not kept.
type shelf struct {
	node   NodeID
	levels levels    // of the claims that do not move
	moving []claim   // the others, by job and end
	offers []OfferID // in order
}

// claim is what a promise takes of a node.
type claim struct {
	node       NodeID
	job        JobID
	due, until Time  // of the promise when it was made or changed; until is excluded
	cpu        CPU   // of all tasks on the node
	memory     Bytes // of all tasks on the node, without what is charged per VM
	tasks      int
	moves      bool // it falls due later as time goes on, because its job progresses: see Promise.at
}

// at returns the claim as it is now.
func (c *claim) at(s *State) claim {
	now := *c
	if c.moves {
		now.due = s.dueOf(c.job, c.until)
	}
	return now
}

// owned is an entry of the index of promises by the owner, or by the project, of their jobs.
type owned struct {
	owner string // or project
	job   JobID
}

func (a owned) less(b owned) bool {
	return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.job, b.job)) < 0
}

// reshelve puts a promise in place of an earlier one to its job into the indexes by node, owner, project and time. Each
// may be nil.
func (s *State) reshelve(id JobID, was, is *Promise) {
	if j := s.Job(id); j != nil && is == nil {
		s.owners.Delete(owned{j.Spec.Owner, id})
		s.projects.Delete(owned{j.Spec.Project, id})
	} else if j != nil {
		s.owners.ReplaceOrInsert(owned{j.Spec.Owner, id})
		s.projects.ReplaceOrInsert(owned{j.Spec.Project, id})
	}
	moved, moves := was != nil && s.movers.Has(mover{was.Until, id}), s.moving(is)
	s.putTime(was, is, moved, moves)
	old, now := s.claimsOf(was, moved), s.claimsOf(is, moves)
	for i := range old {
		if c := &old[i]; !c.among(now) {
			next := s.shelfOf(c.node)
			next.take(c)
			s.putShelf(&next)
		}
	}
	for i := range now {
		if c := &now[i]; !c.among(old) {
			next := s.shelfOf(c.node)
			next.put(c)
			s.putShelf(&next)
		}
	}
}

// claimsOf returns what each part of the promise takes of each of its nodes, in order.
func (s *State) claimsOf(p *Promise, moves bool) (list []claim) {
	if p == nil || s.Job(p.Job) == nil {
		return nil // a file may hold anything: Check finds it
	}
	spec := s.Job(p.Job).Spec
	for part := range p.each() {
		for node, tasks := range part.tasks() {
			list = append(list, claim{node, p.Job, part.Due(), part.Until, spec.Need * CPU(tasks),
				spec.Requirement.Memory * Bytes(tasks), tasks, moves})
		}
	}
	if len(p.Later) > 0 {
		slices.SortFunc(list, claim.order)
	}
	return list
}

func (c claim) order(o claim) int {
	return cmp.Or(cmp.Compare(c.node, o.node), cmp.Compare(c.due, o.due))
}

// among reports whether a list of the claims of the same job, in order, has the claim.
func (c *claim) among(list []claim) bool {
	at, found := slices.BinarySearchFunc(list, *c, claim.order)
	return found && list[at] == *c
}

// moving reports whether the promise falls due later as time goes on, because its job makes progress.
func (s *State) moving(p *Promise) bool {
	if p == nil || p.Work == 0 || p.Met || p.live() == 0 {
		return false
	}
	j := s.Job(p.Job)
	return j != nil && (j.Clock.Share > 0 || p.at(j, s.Now) != p)
}

// put adds a claim.
func (h *shelf) put(c *claim) {
	if !c.moves {
		h.levels = h.levels.with(c, level.plus)
		return
	}
	at, _ := slices.BinarySearchFunc(h.moving, *c, claim.compare)
	h.moving = slices.Insert(slices.Clip(h.moving), at, *c)
}

// take takes a claim away.
func (h *shelf) take(c *claim) {
	if !c.moves {
		h.levels = h.levels.with(c, level.less)
		return
	}
	at, _ := slices.BinarySearchFunc(h.moving, *c, claim.compare)
	h.moving = slices.Concat(h.moving[:at], h.moving[at+1:])
}

// putOffer adds an offer, or puts it in place of the one with its id.
func (s *State) putOffer(o *JobOffer) {
	s.dropOffer(o.ID)
	s.offers.put(o)
	s.putAnswer(o.First, o.ID, o)
	for _, node := range o.Promise.seats() {
		next := s.shelfOf(node)
		at, _ := slices.BinarySearch(next.offers, o.ID)
		next.offers = slices.Insert(slices.Clip(next.offers), at, o.ID)
		s.shelves.put(&next)
	}
}

// dropOffer removes an offer, if there is one of that id.
func (s *State) dropOffer(id OfferID) {
	o := s.offers.get(id)
	if o == nil {
		return
	}
	s.offers.remove(id)
	s.putAnswer(o.First, id, nil)
	for _, node := range o.Promise.seats() {
		next := s.shelfOf(node)
		if at, found := slices.BinarySearch(next.offers, id); found {
			next.offers = slices.Concat(next.offers[:at], next.offers[at+1:])
			s.putShelf(&next)
		}
	}
}

// shelfOf returns a copy of the node's shelf, which shares its lists.
func (s *State) shelfOf(id NodeID) shelf {
	if have := s.shelves.get(id); have != nil {
		return *have
	}
	return shelf{node: id}
}

func (s *State) putShelf(next *shelf) {
	if len(next.levels)+len(next.moving)+len(next.offers) == 0 {
		s.shelves.remove(next.node)
	} else {
		s.shelves.put(next)
	}
}

// reindexShelves rebuilds the indexes of promises and offers by node, owner and project.
func (s *State) reindexShelves() {
	empty, all := New(s.Cluster, s.Policy), map[NodeID]*shelf{}
	s.shelves, s.owners, s.projects = empty.shelves, empty.owners, empty.projects
	s.calendar, s.movers, s.answers = nil, empty.movers, empty.answers
	of := func(node NodeID) *shelf {
		if all[node] == nil {
			all[node] = &shelf{node: node}
		}
		return all[node]
	}
	settled := map[NodeID][]claim{}
	for p := range s.promises.all() {
		if j := s.Job(p.Job); j != nil {
			s.owners.ReplaceOrInsert(owned{j.Spec.Owner, p.Job})
			s.projects.ReplaceOrInsert(owned{j.Spec.Project, p.Job})
		}
		moves := s.moving(p)
		s.putTime(nil, p, false, moves)
		for _, c := range s.claimsOf(p, moves) {
			if on := of(c.node); moves {
				on.moving = append(on.moving, c)
			} else {
				settled[c.node] = append(settled[c.node], c)
			}
		}
	}
	for o := range s.offers.all() {
		s.putAnswer(o.First, o.ID, o)
		for _, node := range o.Promise.seats() {
			of(node).offers = append(of(node).offers, o.ID)
		}
	}
	for _, on := range all {
		on.levels = levelsOf(settled[on.node])
		s.shelves.put(on)
	}
}

func (c claim) compare(o claim) int {
	return cmp.Or(cmp.Compare(c.job, o.job), cmp.Compare(c.until, o.until))
}

// tasks yields the nodes of the promise, by id, each with the number of tasks there. A nil promise has none.
func (p *Promise) tasks() iter.Seq2[NodeID, int] {
	return func(yield func(NodeID, int) bool) {
		if p == nil {
			return
		}
		sorted := slices.Sorted(slices.Values(p.Nodes))
		for first, n := range sorted {
			if n == 0 || first > 0 && sorted[first-1] == n {
				continue
			}
			next, _ := slices.BinarySearch(sorted, n+1)
			if !yield(n, next-first) {
				return
			}
		}
	}
}

// seats lists the nodes of all parts of the promise, by id.
func (p *Promise) seats() []NodeID {
	list := slices.Clone(p.Nodes)
	for i := range p.Later {
		list = append(list, p.Later[i].Nodes...)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(id NodeID) bool { return id == 0 })
}

// live returns the number of tasks that have not ended.
func (p *Promise) live() int { return len(p.Nodes) - count(p.Nodes, 0) }

// promisesOf yields the promises that an index has under a name, as they are now, by job.
func (s *State) promisesOf(index tree[owned], name string) iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) {
		index.AscendRange(owned{name, 0}, owned{name, math.MaxUint64}, func(o owned) bool {
			return yield(s.PromiseTo(o.job))
		})
	}
}

// sameShelves compares the index of shelves with a new one.
func (s *State) sameShelves(fresh *State, fail failFunc) {
	same(fail, "promises by owner", s.owners.all(), fresh.owners.all())
	same(fail, "promises by project", s.projects.all(), fresh.projects.all())
	same(fail, "promises by time", s.calendar.during(math.MinInt64, math.MaxInt64),
		fresh.calendar.during(math.MinInt64, math.MaxInt64))
	same(fail, "promises that move", s.movers.all(), fresh.movers.all())
	for first := range s.answers.since(fresh.answers) {
		have, want := s.answers.get(first), fresh.answers.get(first)
		if have == nil || want == nil || !slices.Equal(have.offers, want.offers) {
			fail("the index of offers that answer like %v is %v, it should be %v", first, have, want)
		}
	}
	for id := range s.shelves.since(fresh.shelves) {
		have, want := s.shelfOf(id), fresh.shelfOf(id)
		if !slices.Equal(have.levels, want.levels) || !slices.Equal(have.moving, want.moving) ||
			!slices.Equal(have.offers, want.offers) {
			fail("the index of promises of node %d is %v, it should be %v", id, have, want)
		}
	}
}
