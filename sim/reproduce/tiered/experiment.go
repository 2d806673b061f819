package tiered

import (
	"cmp"
	"slices"

	"aliquot/sim/reproduce"
)

// Part is a figure of the paper, or the comparison of readings of its text.
type Part string

// Readings compares readings of what the paper leaves open.
const Readings Part = "readings"

// Ours compares MEASY with attained, a policy of ours.
const Ours Part = "ours"

// panel is the part of an experiment's plan that belongs to one figure.
type panel struct {
	part      Part
	title     string
	workloads []Workload
	fullUse   bool
	variants  []Variant
}

var panels = []panel{
	{"fig6", "Figure 6: FW against load", []Workload{FW}, false, mainVariants},
	{"fig7", "Figure 7: JW against load", []Workload{JW}, false, mainVariants},
	{"fig8", "Figure 8: migrations", Workloads, false, []Variant{plain(measy)}},
	{"fig9", "Figure 9: FW without knowledge of CPU use", []Workload{FW}, false, blindVariants},
	{"fig10", "Figure 10: JW without knowledge of CPU use", []Workload{JW}, false, blindVariants},
	{"fig11", "Figure 11: FW where all use 100% CPU", []Workload{FW}, true, fullVariants},
	{"fig12", "Figure 12: JW where all use 100% CPU", []Workload{JW}, true, fullVariants},
	{"fig13", "Figure 13: FW and the cost of a migration", []Workload{FW}, false, costVariants()},
	{"fig14", "Figure 14: JW and the cost of a migration", []Workload{JW}, false, costVariants()},
	{Readings, "Readings of the text", Workloads, false, readings},
	{Ours, "A policy of ours: attained against MEASY", Workloads, false, oursVariants},
}

var (
	mainVariants  = []Variant{plain(easy), plain(keasy), plain(reasy), plain(measy), plain(fcfs)}
	blindVariants = []Variant{plain(easy), plain(keasyBlind), plain(measyBlind)}
	fullVariants  = []Variant{plain(easy), plain(keasy), plain(measy)}
	readings      = []Variant{plain(easy), plain(keasy), plain(measy), plain(reasy), plain(reasyProse), perProcess(keasy),
		perProcess(measy), perProcess(reasy), perProcess(reasyProse)}
)

// oursVariants are ours and MEASY's where a resumption or migration costs as usual, and where it is dear.
var oursVariants = []Variant{plain(measy), plain(attained), costing(measy, expensive),
	costing(attained, expensive), costing(attainedFree, expensive)}

func costVariants() (all []Variant) {
	all = append(all, plain(keasy))
	for _, c := range costs {
		all = append(all, costing(measy, c))
	}
	return all
}

// Parts lists all parts in order.
func Parts() (parts []Part) {
	for _, p := range panels {
		parts = append(parts, p.part)
	}
	return parts
}

// ParseParts parses names of parts in any case. Without names it returns all parts.
func ParseParts(names []string) ([]Part, error) { return reproduce.Choose(names, Parts()) }

// Scope selects the part of the paper to reproduce.
type Scope struct {
	Full  bool   // long streams at all loads, or a sample
	Parts []Part // in order
	Count int    // number of jobs of a stream; 0: as usual
}

// Jobs returns the number of jobs of a stream. The paper has 200,000 (FW) and 100,000 (JW).
func (s Scope) Jobs() int {
	switch {
	case s.Count > 0:
		return s.Count
	case s.Full:
		return 20_000
	}
	return 2_000
}

// Streams returns the number of streams of each workload.
func (s Scope) Streams() int {
	if s.Full {
		return 5
	}
	return 3
}

// Tenths returns the loads, in tenths. The paper's axes are lost.
func (s Scope) Tenths() []int {
	if s.Full {
		return []int{4, 5, 6, 7, 8, 9}
	}
	return []int{4, 6, 8}
}

// Experiment is a stream under a variant of a policy.
type Experiment struct {
	Stream
	Variant
}

// Compare orders experiments by stream, then variant.
func (e Experiment) Compare(o Experiment) int {
	return cmp.Or(e.Stream.Compare(o.Stream), e.Variant.Compare(o.Variant))
}

// Experiments returns the experiments of the scope, each once, stream by stream.
func (s Scope) Experiments() []Experiment {
	seen := map[Experiment]bool{}
	for _, p := range panels {
		if !slices.Contains(s.Parts, p.part) {
			continue
		}
		for _, w := range p.workloads {
			for _, v := range p.variants {
				for _, e := range s.of(w, p.fullUse, v) {
					seen[e] = true
				}
			}
		}
	}
	all := make([]Experiment, 0, len(seen))
	for e := range seen {
		all = append(all, e)
	}
	slices.SortFunc(all, Experiment.Compare)
	return all
}

// of returns the experiments with a variant at all loads.
func (s Scope) of(w Workload, fullUse bool, v Variant) (all []Experiment) {
	for _, tenth := range s.Tenths() {
		for number := range s.Streams() {
			all = append(all, Experiment{Stream{w, number, s.Jobs(), tenth, fullUse}, v})
		}
	}
	return all
}
