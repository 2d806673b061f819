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
	claims []claim   // by job
	offers []OfferID // in order
}

// claim is what a promise takes of a node.
type claim struct {
	job        JobID
	due, until Time  // of the promise when it was made or changed; until is excluded
	cpu        CPU   // of all tasks on the node
	memory     Bytes // of all tasks on the node, without what is charged per VM
	tasks      int
	shrinks    bool // it falls due later as its job progresses, see Promise.at
}

// at returns the claim as it is now.
func (c *claim) at(s *State) claim {
	now := *c
	if c.shrinks {
		now.due = s.PromiseTo(c.job).Due()
	}
	return now
}

// owned is an entry of the index of promises by the owner of their jobs.
type owned struct {
	owner string
	job   JobID
}

func (a owned) less(b owned) bool {
	return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.job, b.job)) < 0
}

// reshelve puts a promise in place of an earlier one to its job into the indexes by node and owner. Each may be nil.
func (s *State) reshelve(id JobID, was, is *Promise) {
	if j := s.Job(id); j != nil && is == nil {
		s.owners.Delete(owned{j.Spec.Owner, id})
	} else if j != nil {
		s.owners.ReplaceOrInsert(owned{j.Spec.Owner, id})
	}
	has := map[NodeID]claim{}
	for node, c := range s.claimsOf(is) {
		has[node] = c
		s.claim(node, c)
	}
	for node := range was.tasks() {
		if _, still := has[node]; !still {
			s.disclaim(node, id)
		}
	}
}

// claimsOf yields what the promise takes of each of its nodes, by id.
func (s *State) claimsOf(p *Promise) iter.Seq2[NodeID, claim] {
	return func(yield func(NodeID, claim) bool) {
		if p == nil || s.Job(p.Job) == nil {
			return // a file may hold anything: Check finds it
		}
		spec := s.Job(p.Job).Spec
		for node, tasks := range p.tasks() {
			if !yield(node, claim{p.Job, p.Due(), p.Until, spec.Need * CPU(tasks), spec.Requirement.Memory * Bytes(tasks), tasks,
				p.Work > 0 && !p.Met}) {
				return
			}
		}
	}
}

// claim puts a claim on the shelf of a node, unless it is there.
func (s *State) claim(node NodeID, c claim) {
	next := s.shelfOf(node)
	at, found := slices.BinarySearchFunc(next.claims, c.job, claim.compare)
	switch {
	case found && next.claims[at] == c:
		return
	case found:
		next.claims = slices.Clone(next.claims)
		next.claims[at] = c
	default:
		next.claims = slices.Insert(slices.Clip(next.claims), at, c)
	}
	s.shelves.put(&next)
}

// disclaim takes the claim of a job off the shelf of a node.
func (s *State) disclaim(node NodeID, id JobID) {
	next := s.shelfOf(node)
	if at, found := slices.BinarySearchFunc(next.claims, id, claim.compare); found {
		next.claims = slices.Concat(next.claims[:at], next.claims[at+1:])
		s.putShelf(&next)
	}
}

// putOffer adds an offer, or puts it in place of the one with its id.
func (s *State) putOffer(o *JobOffer) {
	s.dropOffer(o.ID)
	s.offers.put(o)
	for node := range o.Promise.tasks() {
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
	for node := range o.Promise.tasks() {
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
	if len(next.claims)+len(next.offers) == 0 {
		s.shelves.remove(next.node)
	} else {
		s.shelves.put(next)
	}
}

// reindexShelves rebuilds the indexes of promises and offers by node and owner.
func (s *State) reindexShelves() {
	empty, all := New(s.Cluster, s.Policy), map[NodeID]*shelf{}
	s.shelves, s.owners = empty.shelves, empty.owners
	of := func(node NodeID) *shelf {
		if all[node] == nil {
			all[node] = &shelf{node: node}
		}
		return all[node]
	}
	for p := range s.promises.all() {
		if j := s.Job(p.Job); j != nil {
			s.owners.ReplaceOrInsert(owned{j.Spec.Owner, p.Job})
		}
		for node, c := range s.claimsOf(p) {
			of(node).claims = append(of(node).claims, c)
		}
	}
	for o := range s.offers.all() {
		for node := range o.Promise.tasks() {
			of(node).offers = append(of(node).offers, o.ID)
		}
	}
	for _, on := range all {
		s.shelves.put(on)
	}
}

func (c claim) compare(id JobID) int { return cmp.Compare(c.job, id) }

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

// live returns the number of tasks that have not ended.
func (p *Promise) live() int { return len(p.Nodes) - count(p.Nodes, 0) }

// promisesOf yields the promises to jobs of an owner as they are now, by job.
func (s *State) promisesOf(owner string) iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) {
		s.owners.AscendRange(owned{owner, 0}, owned{owner, math.MaxUint64}, func(o owned) bool {
			return yield(s.PromiseTo(o.job))
		})
	}
}

// sameShelves compares the index of shelves with a new one.
func (s *State) sameShelves(fresh *State, fail failFunc) {
	same(fail, "promises by owner", s.owners.all(), fresh.owners.all())
	for id := range s.shelves.since(fresh.shelves) {
		have, want := s.shelfOf(id), fresh.shelfOf(id)
		if !slices.Equal(have.claims, want.claims) || !slices.Equal(have.offers, want.offers) {
			fail("the index of promises of node %d is %v, it should be %v", id, have, want)
		}
	}
}
