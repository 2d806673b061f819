package hetero

import "aliquot/sim/reproduce"

// Part is a figure of the paper.
type Part string

// The parts with experiments of their own.
const (
	fig3 Part = "fig3" // the overhead of SJS
	fig4 Part = "fig4" // the overhead of PJS
	fig5 Part = "fig5" // jobs of one level, all at once
	fig6 Part = "fig6" // jobs of three levels, all at once; also Figure 7
	fig8 Part = "fig8" // arrivals, with preemption; also Figure 9 and Table 1
	ours Part = "ours" // a policy of ours against PJS
)

// Parts lists all parts in order.
func Parts() []Part { return []Part{fig3, fig4, fig5, fig6, fig8, ours} }

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

// The policies.
const (
	olb = "OLB"
	sjs = "SJS"
	pjs = "PJS"

	priced = "priced"
	bound  = "bound" // no policy: the lower bound of a batch

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
	return unique(all)
}

// unique leaves out repeated experiments.
func unique(all []Experiment) (once []Experiment) {
	seen := map[Experiment]bool{}
	for _, e := range all {
		if !seen[e] {
			seen[e] = true
			once = append(once, e)
		}
	}
	return once
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
		all = append(s.arrivals(number, sjs), s.arrivals(number, pjs)...)
	case ours:
		all = append(s.arrivals(number, priced), s.arrivals(number, pjs)...)
		for _, n := range batches() {
			all = append(all, batch(number, priced, n), batch(number, pjs, n), batch(number, bound, n))
		}
	}
	return all
}

// arrivals returns the experiments with arrivals on a site under a policy.
func (s Scope) arrivals(number int, policy string) (all []Experiment) {
	for _, mix := range mixes {
		for _, rate := range rates {
			for stream := range s.Streams() {
				all = append(all, arriving(number, policy, mix, rate, stream))
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
