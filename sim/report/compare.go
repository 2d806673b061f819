package report

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/sim/sweep"
)

// Comparison holds the results of a sweep by policy.
type Comparison struct {
	Groups []Group
}

// Group holds the results of one policy with the same parameters, over traces.
type Group struct {
	Name    string // the policy, and the parameters that distinguish it from the others
	Results []sweep.Result
}

// Compare groups results by their parameters. Groups keep the order of their first occurrence.
func Compare(results []sweep.Result) Comparison {
	vary := varying(results)
	var c Comparison
	found := map[string]int{}
	for _, r := range results {
		name := vary.name(r.Trial)
		i, ok := found[name]
		if !ok {
			i = len(c.Groups)
			found[name] = i
			c.Groups = append(c.Groups, Group{Name: name})
		}
		c.Groups[i].Results = append(c.Groups[i].Results, r)
	}
	for _, g := range c.Groups {
		slices.SortFunc(g.Results, func(a, b sweep.Result) int { return a.Compare(b.Trial) })
	}
	return c
}

// parameters marks the parameters that differ among results and must be shown. The period counts only
// for policies that use it.
type parameters struct{ period, penalty, nodes, cost, estimates, impossible, events bool }

func varying(results []sweep.Result) (v parameters) {
	periods := map[float64]bool{}
	for _, r := range results {
		if r.Ticks() {
			periods[r.Period] = true
		}
		v.penalty = v.penalty || r.Penalty != results[0].Penalty
		v.nodes = v.nodes || r.Nodes != results[0].Nodes
		v.cost = v.cost || r.Cost != results[0].Cost
		v.estimates = v.estimates || r.Estimates != results[0].Estimates
		v.impossible = v.impossible || r.Impossible != results[0].Impossible
		v.events = v.events || r.Events != results[0].Events
	}
	v.period = len(periods) > 1
	return v
}

func (v parameters) name(t sweep.Trial) string {
	name := t.Policy
	if v.period && t.Ticks() {
		name += fmt.Sprintf(", period %g s", t.Period)
	}
	if v.penalty {
		name += fmt.Sprintf(", penalty %g s", t.Penalty)
	}
	if v.nodes {
		name += fmt.Sprintf(", %d nodes", t.Nodes)
	}
	if v.cost {
		name += ", cost " + cmp.Or(t.Cost, "constant")
	}
	if v.estimates {
		name += ", estimates " + cmp.Or(t.Estimates, "perfect")
	}
	if v.impossible {
		name += ", impossible jobs: " + cmp.Or(t.Impossible, "refuse")
	}
	switch {
	case v.events && t.Events == "":
		name += ", no events"
	case v.events:
		name += ", events " + t.Events[:min(8, len(t.Events))]
	}
	return name
}

// Known lists the measures that at least one result has.
func (c Comparison) Known() (known []sweep.Measure) {
	for _, m := range sweep.Measures {
		if slices.ContainsFunc(c.Groups, func(g Group) bool { return sweep.Distribute(g.Results, m).N > 0 }) {
			known = append(known, m)
		}
	}
	return known
}

// Uneven reports whether some groups lack traces of others, so that their means are not comparable.
func (c Comparison) Uneven() bool {
	return slices.ContainsFunc(c.Groups, func(g Group) bool {
		return !slices.EqualFunc(g.Results, c.Groups[0].Results, func(a, b sweep.Result) bool {
			return cmp.Compare(a.Digest, b.Digest) == 0
		})
	})
}

// Line summarises a measure of a group.
type Line struct {
	Name string
	sweep.Distribution
}

// Few reports whether there are too few traces for deciles, which would be interpolated.
func (l Line) Few() bool { return l.N < 10 }

// Lines summarises a measure, group by group.
func (c Comparison) Lines(m sweep.Measure) []Line {
	lines := make([]Line, len(c.Groups))
	for i, g := range c.Groups {
		lines[i] = Line{g.Name, sweep.Distribute(g.Results, m)}
	}
	return lines
}
