package hetero

import (
	"slices"

	"aliquot/sim/reproduce"
)

// Part is a figure of the paper.
type Part string

// The parts with experiments of their own.
const (
	fig3 Part = "fig3" // the overhead of SJS
	fig4 Part = "fig4" // the overhead of PJS
	fig5 Part = "fig5" // jobs of one level, all at once
	fig6 Part = "fig6" // jobs of three levels, all at once; also Figure 7
	fig8 Part = "fig8" // arrivals, with preemption; also Figure 9 and Table 1
)

// Parts lists all parts in order.
func Parts() []Part { return []Part{fig3, fig4, fig5, fig6, fig8} }

// ParseParts parses names of parts in any case. Without names it returns all parts.
func ParseParts(names []string) ([]Part, error) { return reproduce.Choose(names, Parts()) }

// Mix is a distribution of priorities, in percent of high and medium jobs. Without priorities, both are 0.
type Mix struct {
	Name         string
	High, Medium int
}

// mixes are the paper's, the one without priorities last.
var mixes = []Mix{{"10/10/80", 10, 10}, {"25/25/50", 25, 25}, {"50/25/25", 50, 25}, {"none", 0, 0}}

// Experiment is one simulation.
type Experiment struct {
	Policy   string
	Site     int // number of the site; case 1 has tables of its own
	Mix      Mix
	Jobs     int
	Rate     int // mean of jobs per quantum; 0: all at once
	Stream   int // number of the stream at that rate
	Machines int // case 1
	Percent  int // case 1: of jobs that may run in parallel
}

// part returns the part that an experiment belongs to.
func (e Experiment) part() Part {
	switch {
	case e.Machines > 0 && e.Policy == sjs:
		return fig3
	case e.Machines > 0:
		return fig4
	case e.Rate > 0:
		return fig8
	case e.Mix.Name != "":
		return fig6
	}
	return fig5
}

// The policies.
const (
	olb = "OLB"
	sjs = "SJS"
	pjs = "PJS"

	byPriority   = "/priority"
	byPreemption = "/preempt"
)

// Scope selects the part of the paper to reproduce.
type Scope struct {
	Full  bool   // all sites and streams, or a sample
	Parts []Part // in order
}

// Streams returns the number of streams at each rate.
func (s Scope) Streams() int {
	if s.Full {
		return 5
	}
	return 2
}

// Sites returns the number of sites.
func (s Scope) Sites() int {
	if s.Full {
		return Sites
	}
	return 3
}

var (
	sizes    = []int{5, 25, 50, 75, 100} // of Figure 3, jobs and machines
	many     = []int{5, 50, 100, 250, 500, 1000}
	percents = []int{0, 10, 50, 75, 90, 100}
	rates    = []int{1, 2, 4, 8, 16, 32}
)

// batches are the numbers of jobs of Figure 5; totals those of Figures 6 and 7.
func batches() []int { return steps(5, 100) }
func totals() []int  { return steps(20, 500) }

// steps returns the multiples of a number up to a last one.
func steps(by, last int) (all []int) {
	for n := by; n <= last; n += by {
		all = append(all, n)
	}
	return all
}

// Experiments returns the experiments of the scope.
func (s Scope) Experiments() (all []Experiment) {
	for _, p := range s.Parts {
		switch p {
		case fig3:
			for _, n := range sizes {
				for _, m := range sizes {
					all = append(all, Experiment{Policy: sjs, Jobs: n, Machines: m})
				}
			}
		case fig4:
			for _, n := range many {
				for _, percent := range percents {
					all = append(all, Experiment{Policy: pjs, Jobs: n, Machines: 40, Percent: percent})
				}
			}
		default:
			for number := range s.Sites() {
				all = append(all, s.of(p, number)...)
			}
		}
	}
	return all
}

// of returns the experiments of a part on a site.
func (s Scope) of(p Part, number int) (all []Experiment) {
	switch p {
	case fig5:
		for _, n := range batches() {
			for _, name := range []string{olb, sjs, pjs} {
				all = append(all, batch(number, name, n))
			}
		}
	case fig6:
		for _, mix := range mixes {
			for _, n := range totals() {
				all = append(all, leveled(number, sjs, mix, n), leveled(number, pjs, mix, n))
			}
		}
	case fig8:
		for _, mix := range mixes {
			for _, rate := range rates {
				for stream := range s.Streams() {
					all = append(all, arriving(number, sjs, mix, rate, stream), arriving(number, pjs, mix, rate, stream))
				}
			}
		}
	}
	return all
}

func batch(number int, policy string, jobs int) Experiment {
	return Experiment{Policy: policy, Site: number, Jobs: jobs}
}

func leveled(number int, policy string, mix Mix, jobs int) Experiment {
	return Experiment{Policy: policy + byPriority, Site: number, Mix: mix, Jobs: jobs}
}

func arriving(number int, policy string, mix Mix, rate, stream int) Experiment {
	return Experiment{Policy: policy + byPreemption, Site: number, Mix: mix, Jobs: 500, Rate: rate, Stream: stream}
}

// has reports whether the scope has a part.
func (s Scope) has(p Part) bool { return slices.Contains(s.Parts, p) }
