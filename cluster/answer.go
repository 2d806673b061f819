package cluster

import (
	"cmp"
	"iter"
	"slices"
)

// answer lists the offers to one submission. The index of all answers is derived from the offers. It is neither stored
// nor hashed. An answer is immutable, and one without offers is not kept.
type answer struct {
	first  OfferID     // of the offers when they were made
	offers []*JobOffer // that were neither answered nor withdrawn, by id
	taken  []booking   // the most CPU that one of them takes of all nodes together, by time, with whatever memory
}

// answerOf returns an answer of some offers.
func (s *State) answerOf(offers []*JobOffer) *answer {
	return &answer{offers[0].First, offers, s.together(offers)}
}

// putAnswer puts an offer, or nil, in the place of the offer with an id into the index of answers.
func (s *State) putAnswer(first, id OfferID, o *JobOffer) {
	var offers []*JobOffer
	if have := s.answers.get(first); have != nil {
		offers = slices.DeleteFunc(slices.Clone(have.offers), func(o *JobOffer) bool { return o.ID == id })
	}
	if o != nil {
		at, _ := slices.BinarySearchFunc(offers, id, func(o *JobOffer, id OfferID) int { return cmp.Compare(o.ID, id) })
		offers = slices.Insert(offers, at, o)
	}
	if len(offers) == 0 {
		s.answers.remove(first)
	} else {
		s.answers.put(s.answerOf(offers))
	}
}

// answersNow yields the answers by their first offer, with those offers alone that can be accepted.
func (s *State) answersNow() iter.Seq[*answer] {
	expired := func(o *JobOffer) bool { return s.Now >= o.Expires }
	return func(yield func(*answer) bool) {
		for a := range s.answers.all() {
			if slices.ContainsFunc(a.offers, expired) {
				open := slices.DeleteFunc(slices.Clone(a.offers), expired)
				if len(open) == 0 {
					continue
				}
				a = s.answerOf(open)
			}
			if !yield(a) {
				return
			}
		}
	}
}

// together returns the most that one of the offers to a submission takes at each moment, on all nodes together.
func (s *State) together(offers []*JobOffer) []booking {
	var all []booking
	for _, o := range offers {
		for part := range o.Promise.each() {
			all = append(all, o.booking(s, part).times(len(part.Nodes)))
		}
	}
	return most(all)
}

// most returns the most CPU and the most memory that one of the bookings takes at each moment.
func most(list []booking) (out []booking) {
	if len(list) == 0 {
		return nil
	}
	var times []Time
	for _, k := range list {
		times = append(times, k.from, k.until)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i := range times[1:] {
		part := booking{from: times[i], until: times[i+1]}
		for _, k := range list {
			if k.from <= part.from && part.until <= k.until {
				part.cpu, part.memory = max(part.cpu, k.cpu), max(part.memory, k.memory)
			}
		}
		if part.cpu > 0 {
			out = append(out, part)
		}
	}
	return out
}
