package solution

import (
	"slices"
	"strings"
	"time"

	"aliquot/packing"
	"aliquot/packing/pace"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/document"
	"aliquot/packing/study/portfolio"
)

// Options say how to solve an instance.
type Options struct {
	Method   string // mcb8, portfolio, or the name of one heuristic (package portfolio); case is ignored
	Accuracy float64
	Stop     func() bool          // nil: never; asked now and then whether to end with the best answer so far
	Clock    func() time.Duration // nil: Took stays 0
}

// A Solution is the mapping that a method found, and a bound that no mapping can exceed.
//
// Invariant: 0 ≤ Yield ≤ Bound ≤ 1, apart from rounding; Gap = (Bound - Yield)/Bound.
type Solution struct {
	Feasible   *bool // nil: the search was cut short before anything had a place
	Yield      float64
	Bound      float64
	Gap        float64
	Relaxation float64        // the bound of the linear relaxation alone
	Argument   bound.Argument // that gave the bound
	Method     string         // that found the mapping
	Took       time.Duration  // the search, without the bound where the method needs none
	Cut        bool           // Stop ended the search or the bound
	Dropped    []int          // items without a place, of an instance with priorities
	Mapping    packing.Mapping
}

// smallest is less than every yield that an instance can have except 0: the least CPU of a node, shared by the most
// tasks of the largest need.
const smallest = 1 / (document.Unit * document.MostSize * document.MostTasks) / 1e3

// Solve packs the instance and bounds its yield.
func (o Options) Solve(in *document.Instance) Solution {
	end := &pace.Pace{Stop: o.Stop}
	r, took := o.search(in, end)
	s := Solution{
		Took: took, Method: r.Method, Cut: r.Cut || end.Ended,
		Bound: r.Bound.Level, Relaxation: r.Bound.Relaxation, Argument: r.Bound.Argument, Gap: r.Bound.Gap(0),
	}
	nothing := len(r.Dropped) > 0 && len(r.Dropped) == len(in.Problem.Items)
	if s.Feasible = new(!nothing); nothing && r.Cut && (in.Ranked || !r.Bound.Impossible) {
		s.Feasible = nil
	}
	if in.Ranked {
		s.Dropped = r.Dropped
	}
	if !nothing {
		s.Mapping, s.Yield, s.Gap = r.Mapping, r.Yield, r.Bound.Gap(r.Yield)
	}
	switch {
	case s.Bound < smallest:
		s.Yield, s.Bound, s.Gap = 0, 0, 0
	case s.Gap == 0:
		s.Bound = s.Yield // reached, apart from rounding
	}
	return s
}

// search packs and reports how long that took. If nothing could be mapped, the bound is that of all tasks. Cut reports
// whether packing was cut short; the bound may be cut short too, but it is never looser than the bound by sums.
func (o Options) search(in *document.Instance, end *pace.Pace) (r portfolio.Result, took time.Duration) {
	order := in.Order()
	all := bound.Options{Sums: true, Stop: end.Ask}.Of(&in.Problem, order)
	begun := o.now()
	options := portfolio.Options{Accuracy: o.Accuracy, Whole: !in.Ranked, Stop: end.Ask}
	m, err := portfolio.Parse(o.Method)
	alone := err != nil && !strings.EqualFold(o.Method, "portfolio") // as the scheduler packs, which asks for no bound
	switch {
	case alone:
		r = mcb8(in, order, o.Accuracy, end)
	case err != nil:
		r = options.Search(&in.Problem, order)
	default:
		r = m.Search(&in.Problem, order, options)
	}
	took = o.now() - begun
	switch some := len(r.Dropped); {
	case some > 0 && some < len(order):
		if alone {
			kept := slices.DeleteFunc(order, func(i int) bool { return r.Mapping[i] == nil })
			r.Bound = bound.Options{Stop: end.Ask}.Of(&in.Problem, kept)
		}
		return r, took
	case alone, in.Ranked && some > 0:
		r.Bound = bound.Options{Stop: end.Ask}.Of(&in.Problem, order)
	}
	if all.Level < r.Bound.Level {
		r.Bound = all
	}
	return r, took
}

// mcb8 packs as the scheduler does.
func mcb8(in *document.Instance, order []int, accuracy float64, end *pace.Pace) portfolio.Result {
	first := packing.Options{Accuracy: accuracy, Whole: !in.Ranked, Stop: end.Ask}.Search(&in.Problem, order)
	r := portfolio.Result{Mapping: first.Mapping, Yield: first.Yield, Dropped: first.Dropped, Method: "mcb8",
		Cut: end.Ended}
	if !r.Cut {
		r.Yield = portfolio.Reached(&in.Problem, first.Mapping)
	}
	return r
}

func (o Options) now() time.Duration {
	if o.Clock == nil {
		return 0
	}
	return o.Clock()
}
