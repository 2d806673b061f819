package portfolio

import (
	"math"
	"slices"

	"aliquot/packing"
	"aliquot/packing/study/bound"
)

// usual is the default accuracy.
const usual = 0.001

// Options limit a search. The zero Options search [0,1] to a width of 0.001.
type Options struct {
	Low, High float64 // the range, as for packing.Levels: both 0 means [0,1]
	Accuracy  float64 // width to which it is bisected; 0 means 0.001
	Methods   []Method
	// budget, in visited nodes of search trees, nodes and exchanges; 0: enough for the problem's size
	Steps int64
	Whole bool        // map all items or none: see packing.Options.Whole
	Stop  func() bool // called every 20,000 steps or examined items; true ends the search. nil: never
}

// A Result is the outcome of a search.
type Result struct {
	Mapping packing.Mapping
	Yield   float64     // level of the mapping; meaningless if no item is mapped
	Bound   bound.Bound // on the level of any mapping of the same items; of all items if Whole and none is mapped
	Dropped []int       // items that are not mapped, in the order in which they were given up
	Method  string      // the method that found the mapping; "+repair", "+balance": with that local search
	Steps   int64
	Cut     bool // the budget was used up, or Stop returned true, before everything was tried
}

// enough returns the default budget for a number of tasks.
func enough(tasks int) int64 { return 30_000_000 + 500*int64(tasks) }

// Search maps the items that MCB8 maps, and those that it drops if other methods find room for them.
// Then it raises the level as far as local search, methods and budget allow. The answer is never worse
// than MCB8's at the same accuracy: it keeps at least as many items by priority, and if it keeps the
// same, its level is no lower. order lists all items from highest to lowest priority. Without methods
// it tries those published for the problem's dimensions and nodes.
func (o Options) Search(p *packing.Problem, order []int) Result { return o.begin(p).run(order) }

func (s *search) run(order []int) Result {
	if !s.start(order) {
		return s.Result
	}
	switch {
	case !s.Whole:
		s.readmit()
	case len(s.Dropped) > 0 && !s.rescue(order):
		return s.none(order)
	}
	if s.tighten(); s.best != nil {
		s.balance()
		s.raise()
		s.balance()
	}
	return s.result()
}

// Search maps items with one method as [packing.Search] does with MCB8: it bisects the level, and
// drops the item of the lowest priority while no level works.
func (m Method) Search(p *packing.Problem, order []int, o Options) Result {
	s := o.begin(p)
	all := s.summed(order)
	if s.Whole {
		if s.Bound = all; !s.whole(m, order) {
			s.Method = m.String()
			return s.none(order)
		}
		return s.result()
	}
	if s.single(m, order); len(s.Dropped) == 0 {
		s.Bound = all
	}
	s.tighten()
	return s.result()
}

// A search holds a tableau, the best attempt so far, and the remaining budget.
type search struct {
	*tableau
	*work
	Options
	Result
	methods []Method // the last successful one is first
	best    *attempt // nil: there is none
	now     *attempt
}

func (o Options) begin(p *packing.Problem) *search {
	o.Low, o.High = packing.Levels(o.Low, o.High)
	if !(o.Accuracy > 0) {
		o.Accuracy = usual
	}
	o.Accuracy = max(o.Accuracy, (o.High-o.Low)*1e-9)
	s := &search{tableau: newTableau(p), Options: o, work: &work{most: o.Steps}, now: new(attempt)}
	s.work.Stop, s.pace, s.Bound = o.Stop, s.work, s.full()
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

// levels returns the same options for a plain search.
func (s *search) levels() packing.Options {
	return packing.Options{Low: s.Low, High: s.High, Accuracy: s.Accuracy, Whole: s.Whole, Stop: s.ask}
}

// bounded returns the bound of the chosen items.
func (s *search) bounded() bound.Bound {
	return bound.Options{Low: s.Low, High: s.High, Stop: s.ask}.Of(s.p, s.items)
}

// tighten lowers the bound by arguments beyond sums. It must be the bound of the chosen items.
func (s *search) tighten() {
	if b := s.bounded(); b.Level < s.Bound.Level {
		s.Bound = b
	}
}

// start finds MCB8's answer. It returns false if the search is stopped meanwhile; the result then
// stands as it is.
func (s *search) start(order []int) bool {
	all := s.summed(order)
	first := s.levels().Search(s.p, order)
	s.Result = Result{Mapping: first.Mapping, Yield: first.Yield, Dropped: first.Dropped, Method: MCB8.String(),
		Bound: s.full()}
	if s.Whole || len(s.Dropped) == 0 {
		s.Bound = all
	}
	if s.ask() || !s.choose(without(order, s.Dropped, len(s.p.Items))) {
		s.Cut = true
		return false
	}
	if !s.Whole && len(s.Dropped) > 0 {
		s.Bound = s.summed(s.items) // also valid for items that are readmitted later
	}
	a := s.attemptOf(first.Mapping)
	if s.ask() {
		s.Cut = true
		return false
	}
	s.adopt(a, MCB8.String())
	return true
}

// full returns the trivial bound.
func (s *search) full() bound.Bound {
	return bound.Bound{Level: s.High, Relaxation: s.High, Argument: bound.Full}
}

// summed returns the bound that follows from sums alone. It costs next to nothing, so a search that is
// stopped before it computes a better bound has at least this one for its items.
func (s *search) summed(items []int) bound.Bound {
	if s.Options.Stop == nil {
		return s.full()
	}
	return bound.Options{Low: s.Low, High: s.High, Sums: true, Stop: s.ask}.Of(s.p, items)
}

func without(order, dropped []int, items int) []int {
	gone := make([]bool, items)
	for _, i := range dropped {
		gone[i] = true
	}
	return slices.DeleteFunc(slices.Clone(order), func(i int) bool { return gone[i] })
}

// single bisects the level with one method.
func (s *search) single(m Method, order []int) {
	kept, dropped := s.levels().Admit(s.p, order)
	for s.choose(kept) && !s.bisect(m, s.High, math.MaxInt) && len(kept) > 0 && !s.over() {
		dropped = append(dropped, kept[len(kept)-1])
		kept = kept[:len(kept)-1]
	}
	if s.Dropped = dropped; s.best != nil {
		return
	}
	for _, i := range slices.Backward(kept) { // the search was stopped before they were tried
		s.Dropped = append(s.Dropped, i)
	}
	s.selection = selection{}
	s.adopt(s.attemptOf(make(packing.Mapping, len(s.p.Items))), m.String())
}

// bisect reports whether a method works at any level that it tries below high, with the accuracy
// scaled alike, until most levels have failed before the first success. It adopts the best.
func (s *search) bisect(m Method, high float64, most int) (found bool) {
	low, part := s.Low, (high-s.Low)/(s.High-s.Low)
	for width := high - low; width > part*s.Accuracy && (found || most > 0) && !s.over(); width /= 2 {
		middle := (low + high) / 2
		if !s.hopeless(middle) && s.attempt(m, middle) {
			low, found = middle, true
		} else {
			high = middle
			most--
		}
	}
	return found
}

// hopeless reports whether a level is known to be above the bound.
func (s *search) hopeless(level float64) bool { return s.Whole && level > s.Bound.Level*(1+1e-9) }

// adopt makes an attempt the best so far.
func (s *search) adopt(a *attempt, method string) {
	s.best, s.Method, s.Yield = a, method, s.reached(a)
}

// readmit takes back dropped items, the last one first, while there is room for them at the lowest
// level.
func (s *search) readmit() {
	lowest := s.lowest()
	for len(s.Dropped) > 0 && !s.over() {
		last, before := len(s.Dropped)-1, s.selection
		if !s.choose(append(slices.Clone(before.items), s.Dropped[last])) {
			return
		}
		if b := s.bounded(); b.Impossible || b.Level < lowest || !s.try(lowest) {
			s.selection = before
			return
		}
		s.Dropped = s.Dropped[:last]
	}
}

// lowest returns the smallest level that a bisection tries.
func (s *search) lowest() float64 {
	width := s.High - s.Low
	for width > s.Accuracy {
		width /= 2
	}
	return s.Low + width
}

// raise bisects the levels between the one reached and the bound.
func (s *search) raise() {
	for low, high := s.Yield, s.Bound.Level; high-low > s.accuracy() && !s.over(); {
		if middle := (low + high) / 2; s.try(middle) {
			low = max(middle, s.Yield)
		} else {
			high = middle
		}
	}
}

// try searches for a mapping at a level: with one method after the other, then by repairing their
// attempts.
func (s *search) try(level float64) bool {
	for at, m := range s.methods {
		if s.attempt(m, level) {
			s.methods = slices.Insert(slices.Delete(s.methods, at, at+1), 0, m)
			return true
		}
	}
	for _, m := range s.methods[:min(repairs, len(s.methods))] {
		if s.over() || !s.rise(level) {
			return false
		}
		s.pack(m, s.now)
		if s.now.rest <= s.tasks/10+3 && s.repair(s.now, s.work) {
			s.succeed(m.String() + "+repair")
			return true
		}
	}
	return false
}

// repairs is the number of attempts that are repaired at a level.
const repairs = 9

// attempt tries a method at a level.
func (s *search) attempt(m Method, level float64) bool {
	if s.over() || !s.rise(level) {
		return false
	}
	s.pack(m, s.now)
	if s.now.rest > 0 {
		return false
	}
	s.succeed(m.String())
	return true
}

func (s *search) succeed(method string) {
	a := s.now
	s.now = new(attempt)
	s.adopt(a, method)
}

// pack maps as many tasks as it can with a method at the present level.
func (s *search) pack(m Method, a *attempt) {
	s.clear(a)
	if m.Fit == BestFit {
		s.bestFit(m, a, s.work)
	} else {
		s.fill(m, a, s.work)
	}
}

func (s *search) result() Result {
	r := s.Result
	if r.Mapping = s.best.from; r.Mapping == nil {
		r.Mapping = s.mapping(s.best.placed)
	}
	r.Steps, r.Cut = s.steps, s.over()
	return r
}
