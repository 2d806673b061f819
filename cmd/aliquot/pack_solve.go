package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"aliquot/packing"
	"aliquot/packing/bound"
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
}

// A unit node has so much of everything: quantities are counted in billionths of it, as whole numbers so
// that memory adds up exactly.
const packUnit = 1e9

// amount is a quantity in billionths of a unit node.
func amount(x float64) float64 { return math.Round(x * packUnit) }

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

// solve packs by a method; a limit of time counts from a start.
func (in *packInstance) solve(f packFlags, started time.Time) (packed, packing.Mapping) {
	if f.accuracy == 0 {
		f.accuracy = 0.001
		if f.method == "mcb8" {
			f.accuracy = 0.01
		}
	}
	o := portfolio.Options{Accuracy: f.accuracy}
	if f.limit > 0 {
		// The rest is for the answer, which takes about half as long to put together as the instance took to read.
		until := started.Add(f.limit*95/100 - time.Since(started)/2)
		o.Stop = func() bool { return time.Now().After(until) }
	}
	r, took := in.search(f.method, o)
	if len(r.Dropped) > 0 && !in.ranked {
		r, took = in.again(f.method, o, r, took)
	}
	answer := packed{
		Seconds: took.Seconds(), Method: r.Method, Accuracy: f.accuracy, Nodes: len(in.problem.Nodes), Cut: r.Cut, Dropped: []string{},
		Bound: r.Bound.Level, LP: r.Bound.Relaxation, Argument: string(r.Bound.Argument),
	}
	for i := range in.problem.Items {
		answer.Tasks += in.problem.Items[i].Count
	}
	if answer.Feasible = len(r.Dropped) == 0 || in.ranked; answer.Feasible {
		answer.Yield, answer.Gap = r.Yield, r.Bound.Gap(r.Yield)
		for _, i := range r.Dropped {
			answer.Dropped = append(answer.Dropped, in.ids[i])
		}
	} else {
		answer.Gap = r.Bound.Gap(0)
	}
	if answer.Feasible && answer.Gap == 0 {
		answer.Bound = answer.Yield // reached, but for rounding
	}
	if f.mapping && answer.Feasible {
		answer.Mapping = in.mapping(r.Mapping)
	}
	return answer, r.Mapping
}

// again packs below the bound of all tasks where that is above 0: they may need so much more CPU than there is that no
// level of the plain range is low enough. Otherwise what does not fit is memory.
func (in *packInstance) again(method string, o portfolio.Options, r portfolio.Result, took time.Duration) (portfolio.Result, time.Duration) {
	everything := bound.Options{Stop: o.Stop}.Of(&in.problem, in.order())
	if everything.Level > 0 && !r.Cut {
		o.High, o.Accuracy = everything.Level, o.Accuracy*everything.Level
		if next, more := in.search(method, o); len(next.Dropped) == 0 {
			return next, took + more
		}
	}
	r.Bound = everything
	return r, took
}

// search packs, and says how long that took.
func (in *packInstance) search(method string, o portfolio.Options) (r portfolio.Result, took time.Duration) {
	begun, order := time.Now(), in.order()
	switch m, err := portfolio.Parse(method); {
	case err == nil:
		r = m.Search(&in.problem, order, o)
	case method == "portfolio":
		r = o.Search(&in.problem, order)
	default:
		return in.mcb8(o)
	}
	return r, time.Since(begun)
}

// mcb8 packs as the scheduler does. The bound is no part of that, so its time does not count.
func (in *packInstance) mcb8(o portfolio.Options) (portfolio.Result, time.Duration) {
	begun, order := time.Now(), in.order()
	cut := false
	if stop := o.Stop; stop != nil {
		o.Stop = func() bool { cut = cut || stop(); return cut }
	}
	first := packing.Options{High: o.High, Accuracy: o.Accuracy, Stop: o.Stop}.Search(&in.problem, order)
	took, short := time.Since(begun), cut
	kept := slices.DeleteFunc(order, func(i int) bool { return first.Mapping[i] == nil })
	return portfolio.Result{
		Mapping: first.Mapping, Yield: portfolio.Reached(&in.problem, first.Mapping), Dropped: first.Dropped,
		Bound: bound.Options{Stop: o.Stop}.Of(&in.problem, kept), Method: "mcb8", Cut: short,
	}, took
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
