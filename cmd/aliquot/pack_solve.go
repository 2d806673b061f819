package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"aliquot/packing"
	"aliquot/packing/bound"
	"aliquot/packing/pace"
	"aliquot/packing/portfolio"
)

// packInstance is what a file of pack says.
type packInstance struct {
	problem    packing.Problem
	ids        []string // by item
	nodes      []string // by node; nil: n0, n1 and so on
	priorities []float64
	tasks      int
	unit       packing.Node
	ranked     bool // some item names a priority: those of lower ones may be dropped
	listed     bool // the nodes are in the file, even if there are none
}

// A unit node has so much of everything: quantities are counted in billionths of it, as whole numbers so
// that memory adds up exactly.
const packUnit = 1e9

// amount is a quantity in billionths of a unit node.
func amount(x float64) float64 { return math.Round(x * packUnit) }

// nobody is a yield that is less than the smallest there can be: the least CPU of a node shared by as many tasks as may be
// of the largest need.
const nobody = 1 / (packUnit * mostSize * mostPacked) / 1e3

// units gives the instance a number of unit nodes.
func (in *packInstance) units(nodes int) {
	in.problem.Nodes = slices.Repeat([]packing.Node{in.unit}, nodes)
}

// order lists the items by priority, those without one or with the same as they come.
func (in *packInstance) order() []int {
	order := make([]int, len(in.ids))
	for i := range order {
		order[i] = i
	}
	if in.ranked {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(in.priorities[b], in.priorities[a])
		})
	}
	return order
}

// solve packs by a method until a function that is not nil says that there is to be an end.
func (in *packInstance) solve(f packFlags, stop func() bool) (packed, packing.Mapping) {
	end := &pace.Pace{Stop: stop}
	r, took := in.search(f.method, f.width(), end)
	answer := packed{
		Seconds: took.Seconds(), Method: r.Method, Accuracy: f.width(), Nodes: len(in.problem.Nodes), Tasks: in.tasks, Cut: r.Cut || end.Ended, Dropped: []string{},
		Bound: r.Bound.Level, LP: r.Bound.Relaxation, Argument: string(r.Bound.Argument), Gap: r.Bound.Gap(0),
	}
	nothing := len(r.Dropped) > 0 && len(r.Dropped) == len(in.problem.Items)
	if answer.Feasible = new(!nothing); nothing && r.Cut && (in.ranked || !r.Bound.Impossible) {
		answer.Feasible = nil
	}
	if in.ranked {
		for _, i := range r.Dropped {
			answer.Dropped = append(answer.Dropped, in.ids[i])
		}
	}
	if !nothing {
		answer.Yield, answer.Gap = r.Yield, r.Bound.Gap(r.Yield)
	}
	switch {
	case answer.Bound < nobody:
		answer.Yield, answer.Bound, answer.Gap = 0, 0, 0
	case answer.Gap == 0:
		answer.Bound = answer.Yield // reached, but for rounding
	}
	if nothing {
		return answer, nil
	}
	if f.mapping {
		answer.Mapping = in.mapping(r.Mapping)
	}
	return answer, r.Mapping
}

// search packs, and says how long that took. Where nothing could be mapped, the bound is that of all tasks. The result says
// whether packing was cut short, which the bound may be as well: it is never looser than what the sums tell.
func (in *packInstance) search(method string, accuracy float64, end *pace.Pace) (r portfolio.Result, took time.Duration) {
	order := in.order()
	all := bound.Options{Sums: true, Stop: end.Ask}.Of(&in.problem, order)
	begun := time.Now()
	o := portfolio.Options{Accuracy: accuracy, Whole: !in.ranked, Stop: end.Ask}
	m, err := portfolio.Parse(method)
	alone := err != nil && !strings.EqualFold(method, "portfolio") // as the scheduler packs, which asks for no bound
	switch {
	case alone:
		r = in.mcb8(order, accuracy, end)
	case err != nil:
		r = o.Search(&in.problem, order)
	default:
		r = m.Search(&in.problem, order, o)
	}
	took = time.Since(begun)
	switch some := len(r.Dropped); {
	case some > 0 && some < len(order):
		if alone {
			kept := slices.DeleteFunc(order, func(i int) bool { return r.Mapping[i] == nil })
			r.Bound = bound.Options{Stop: end.Ask}.Of(&in.problem, kept)
		}
		return r, took
	case alone, in.ranked && some > 0:
		r.Bound = bound.Options{Stop: end.Ask}.Of(&in.problem, order)
	}
	if all.Level < r.Bound.Level {
		r.Bound = all
	}
	return r, took
}

// mcb8 packs as the scheduler does.
func (in *packInstance) mcb8(order []int, accuracy float64, end *pace.Pace) portfolio.Result {
	first := packing.Options{Accuracy: accuracy, Whole: !in.ranked, Stop: end.Ask}.Search(&in.problem, order)
	r := portfolio.Result{Mapping: first.Mapping, Yield: first.Yield, Dropped: first.Dropped, Method: "mcb8", Cut: end.Ended}
	if !r.Cut {
		r.Yield = portfolio.Reached(&in.problem, first.Mapping)
	}
	return r
}

// mapping names the nodes of every item.
func (in *packInstance) mapping(m packing.Mapping) []packedItem {
	list := make([]packedItem, 0, len(m))
	for i, nodes := range m {
		names := make([]string, 0, len(nodes))
		for _, n := range nodes {
			if in.nodes != nil {
				names = append(names, in.nodes[n])
			} else {
				names = append(names, "n"+strconv.Itoa(n))
			}
		}
		list = append(list, packedItem{in.ids[i], names})
	}
	return list
}
