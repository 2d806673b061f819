package portfolio

import (
	"slices"

	"aliquot/packing"
	"aliquot/packing/bound"
)

// Options say what a search may do.
type Options struct {
	packing.Options
	Methods []Method    // none: those published for the problem's dimensions and nodes
	Steps   int64       // budget, in nodes of search trees, nodes and tasks that are looked at; 0: enough for the problem's size
	Stop    func() bool // asked every ten-thousands of steps; true ends the search. nil: never
}

// A Result is the outcome of a search.
type Result struct {
	packing.Result        // Yield is the level that the mapping reaches
	Bound          bound.Bound
	Method         string // what found the mapping, and "+repair" where the local search had to help
	Steps          int64
	Cut            bool // the budget was used up, or the stop function said so, before all was tried
}

// enough is the budget of a problem of some size.
func enough(tasks int) int64 { return 30_000_000 + 3000*int64(tasks) }

// Search maps the items that MCB8 maps, and those it drops if other methods find them room, and raises
// the level as far as methods, local search and budget go. The answer is never worse than that of MCB8 at the
// same accuracy: it maps no fewer items by priority, and with the same ones reaches no lower level.
func (o Options) Search(p *packing.Problem, order []int) Result {
	s := o.begin(p)
	first := o.Options.Search(p, order)
	s.Dropped = first.Dropped
	s.choose(keep(order, s.Dropped))
	s.adopt(s.attemptOf(first.Mapping), MCB8.String())
	s.readmit()
	s.Bound = bound.Of(p, s.items, o.Options)
	s.raise()
	return s.result()
}

// A search is an instance, the best that was found for it, and what may still be done.
type search struct {
	*instance
	*work
	Options
	Result
	methods []Method // that which succeeded last is first
	best    *attempt // nil: there is none
	now     *attempt
	partial *attempt // of those that failed at the present level, the one that left least
	spare   *attempt
}

func (o Options) begin(p *packing.Problem) *search {
	if !(o.Low < o.High) {
		o.Low, o.High = 0, 1
	}
	if !(o.Accuracy > 0) {
		o.Accuracy = 0.001
	}
	s := &search{instance: begin(p), Options: o, work: &work{most: o.Steps, stop: o.Stop}, now: new(attempt), partial: new(attempt), spare: new(attempt)}
	if s.methods = slices.Clone(o.Methods); len(s.methods) == 0 {
		s.methods = Published(s.width, s.alike)
	}
	if s.most <= 0 {
		tasks := 0
		for i := range p.Items {
			tasks += p.Items[i].Count
		}
		s.most = enough(tasks)
	}
	return s
}

func keep(order, dropped []int) []int {
	return slices.DeleteFunc(slices.Clone(order), func(i int) bool { return slices.Contains(dropped, i) })
}

// adopt makes an attempt the best so far.
func (s *search) adopt(a *attempt, method string) {
	s.best, s.Method = a, method
	s.Yield = s.reached(a)
}

// readmit takes back items that were dropped, the last one first, as long as there is room for them at the
// lowest level.
func (s *search) readmit() {
	lowest := s.Low + (s.High-s.Low)/1024
	for len(s.Dropped) > 0 && !s.over() {
		last := len(s.Dropped) - 1
		s.choose(append(slices.Clone(s.items), s.Dropped[last]))
		if b := bound.Of(s.p, s.items, s.Options.Options); b.Impossible || b.Level < lowest || !s.try(lowest) {
			s.choose(s.items[:len(s.items)-1])
			return
		}
		s.Dropped = s.Dropped[:last]
	}
}

// raise bisects the levels between what was reached and the bound.
func (s *search) raise() {
	high := s.Bound.Level
	for high-s.Yield > s.Accuracy && !s.over() {
		if middle := (s.Yield + high) / 2; !s.try(middle) {
			high = middle
		}
	}
}

// try looks for a mapping at a level.
func (s *search) try(level float64) bool {
	if !s.rise(level) {
		return false
	}
	s.partial.rest = -1
	for at, m := range s.methods {
		if s.over() {
			return false
		}
		s.pack(m, s.now)
		if s.now.rest == 0 {
			s.methods = slices.Insert(slices.Delete(s.methods, at, at+1), 0, m)
			s.succeed(m.String())
			return true
		}
		if s.partial.rest < 0 || s.now.rest < s.partial.rest {
			s.now, s.partial = s.partial, s.now
		}
	}
	if s.repair(s.partial, s.work) {
		s.now, s.partial = s.partial, s.now
		s.succeed("+repair")
		return true
	}
	return false
}

func (s *search) succeed(method string) {
	a := s.now
	s.now = new(attempt)
	s.adopt(a, method)
}

// pack maps what it can with a method at the present level.
func (s *search) pack(m Method, a *attempt) {
	s.start(a)
	if m.Fit == BestFit {
		s.bestFit(m, a, s.work)
	} else {
		s.fill(m, a, s.work)
	}
}

func (s *search) result() Result {
	r := s.Result
	if s.best != nil {
		r.Mapping = s.mapping(s.best.placed)
	}
	r.Steps, r.Cut = s.steps, s.over()
	return r
}
