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
	promise    *Promise
}

// at returns the claim as it is now.
func (c *claim) at(s *State) claim {
	now := *c
	if c.shrinks {
		now.due = c.promise.at(s.Job(c.job), s.Now).Due()
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

// shelve puts a promise on the shelves of its nodes, and into the index by owner.
func (s *State) shelve(p *Promise) {
	j := s.Job(p.Job)
	if j == nil {
		return // a file may hold anything: Check finds it
	}
	s.owners.ReplaceOrInsert(owned{j.Spec.Owner, p.Job})
	for id, tasks := range p.tasks() {
		next := s.shelfOf(id)
		at, _ := slices.BinarySearchFunc(next.claims, p.Job, claim.compare)
		next.claims = slices.Insert(slices.Clip(next.claims), at, claim{p.Job, p.Due(), p.Until, j.Spec.Need * CPU(tasks),
			j.Spec.Requirement.Memory * Bytes(tasks), tasks, p.Work > 0 && !p.Met, p})
		s.shelves.put(&next)
	}
}

// unshelve takes a promise out of the index of shelves, and out of that by owner.
func (s *State) unshelve(p *Promise) {
	if j := s.Job(p.Job); j != nil {
		s.owners.Delete(owned{j.Spec.Owner, p.Job})
	}
	for id := range p.tasks() {
		next := s.shelfOf(id)
		if at, found := slices.BinarySearchFunc(next.claims, p.Job, claim.compare); found {
			next.claims = slices.Concat(next.claims[:at], next.claims[at+1:])
			s.putShelf(&next)
		}
	}
}

// putOffer adds an offer, or puts it in place of the one with its id.
func (s *State) putOffer(o *JobOffer) {
	s.dropOffer(o.ID)
	s.offers.put(o)
	s.shelveOffer(o)
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

// shelveOffer puts an offer on the shelves of its nodes.
func (s *State) shelveOffer(o *JobOffer) {
	for node := range o.Promise.tasks() {
		next := s.shelfOf(node)
		at, _ := slices.BinarySearch(next.offers, o.ID)
		next.offers = slices.Insert(slices.Clip(next.offers), at, o.ID)
		s.shelves.put(&next)
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
	empty := New(s.Cluster, s.Policy)
	s.shelves, s.owners = empty.shelves, empty.owners
	for p := range s.promises.all() {
		s.shelve(p)
	}
	for o := range s.offers.all() {
		s.shelveOffer(o)
	}
}

func (c claim) compare(id JobID) int { return cmp.Compare(c.job, id) }

// tasks yields the nodes of the promise, by id, each with the number of tasks there.
func (p *Promise) tasks() iter.Seq2[NodeID, int] {
	return func(yield func(NodeID, int) bool) {
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
