package reserve

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/sim/reproduce"
	"aliquot/workload"
	"aliquot/workload/gen"
)

const (
	// Processors is the size of the machine: that of the LANL CM-5 and of the largest jobs. The paper does not state it.
	Processors = 1024
	// Seed is the seed of all streams. The paper's are not published.
	Seed = 2013
)

// Point is a setting of the paper's parameters.
type Point struct {
	UMed     int
	Quarters int // quarters of the arrival factor
	Flex     int // both the artime factor and the deadline factor
}

// usual is the paper's default point.
var usual = Point{UMed: 7, Quarters: 4, Flex: 3}

// Compare orders points.
func (p Point) Compare(o Point) int {
	return cmp.Or(cmp.Compare(p.UMed, o.UMed), cmp.Compare(p.Quarters, o.Quarters), cmp.Compare(p.Flex, o.Flex))
}

// arrival returns the arrival factor.
func (p Point) arrival() float64 { return float64(p.Quarters) / 4 }

// Stream is one stream of requests.
type Stream struct {
	Point
	Number int // from 0; streams of different numbers are independent
	Jobs   int
	Early  bool // jobs take from half of the time that they reserve to all of it
}

// Name returns the stream's name in results.
func (s Stream) Name() string {
	name := fmt.Sprintf("reservations %d, UMed %d, arrival factor %g, {%[4]d,%[4]d}", s.Number, s.UMed, s.arrival(), s.Flex)
	if s.Early {
		name += ", ends early"
	}
	return name
}

// Draw draws the stream.
func (s Stream) Draw() ([]workload.Job, error) {
	p := gen.Reserve{UMed: float64(s.UMed), Arrival: s.arrival(), Ahead: float64(s.Flex), Deadline: float64(s.Flex)}
	dice := gen.NewDice(Seed, s.Number)
	jobs := p.Draw(dice, Processors, s.Jobs)
	if s.Early {
		gen.Hasten(dice, jobs)
	}
	return jobs, nil
}

// The policies by their names in the paper.
var (
	policies = []string{ff, peB, peW, duB, duW, peDuB, peDuW}
	others   = policies[1:]
)

const (
	ff    = "FF"
	peB   = "PE_B"
	peW   = "PE_W"
	duB   = "Du_B"
	duW   = "Du_W"
	peDuB = "PEDu_B"
	peDuW = "PEDu_W"
)

// Experiment is a stream under a policy.
type Experiment struct {
	Stream
	Policy string // name in the paper, or behind reserve/ in the catalog
	Cost   int    // of moving or resuming a job, in seconds
}

// Compare orders experiments by stream, then policy.
func (e Experiment) Compare(o Experiment) int {
	return cmp.Or(e.Point.Compare(o.Point), cmp.Compare(e.Number, o.Number), cmp.Compare(e.Jobs, o.Jobs),
		cmp.Compare(e.Name(), o.Name()), cmp.Compare(e.Policy, o.Policy), cmp.Compare(e.Cost, o.Cost))
}

// Part is a figure of the paper, or one that the paper lacks.
type Part string

// axis is a parameter that is varied while the others have their defaults.
type axis struct {
	title  string
	points []Point
	value  func(Point) float64
}

var (
	sizes = axis{"UMed (sizes of jobs)",
		[]Point{{5, 4, 3}, {6, 4, 3}, usual, {8, 4, 3}, {9, 4, 3}}, func(p Point) float64 { return float64(p.UMed) }}
	arrivals = axis{"arrival factor",
		[]Point{{7, 2, 3}, {7, 3, 3}, usual, {7, 5, 3}, {7, 6, 3}}, Point.arrival}
	flexibility = axis{"artime factor and deadline factor",
		[]Point{{7, 4, 1}, {7, 4, 2}, usual, {7, 4, 4}, {7, 4, 5}}, func(p Point) float64 { return float64(p.Flex) }}
)

// panel is a part with its diagram.
type panel struct {
	part  Part
	title string
	axis
	measure
}

var panels = []panel{
	{"fig2", "Figure 2: acceptance rate against sizes", sizes, acceptance},
	{"fig3", "Figure 3: slowdown against sizes", sizes, slowdown},
	{"fig4", "Figure 4: acceptance rate against load", arrivals, acceptance},
	{"fig5", "Figure 5: slowdown against load", arrivals, slowdown},
	{"fig6", "Figure 6: acceptance rate against flexibility", flexibility, acceptance},
	{"fig7", "Figure 7: slowdown against flexibility", flexibility, slowdown},
	{"work", "Accepted work against sizes, which the paper does not show", sizes, acceptedWork},
	{"wide", "Acceptance of wide jobs against sizes, which the paper does not show", sizes, acceptedWide},
	{"use", "Utilisation against sizes, which the paper does not show", sizes, utilization},
}

// Parts lists all parts in order.
func Parts() (parts []Part) {
	for _, p := range panels {
		parts = append(parts, p.part)
	}
	return append(parts, Ours)
}

// ParseParts parses names of parts in any case. Without names it returns all parts.
func ParseParts(names []string) ([]Part, error) { return reproduce.Choose(names, Parts()) }

// Scope selects the part of the paper to reproduce.
type Scope struct {
	Full  bool   // as many requests as in the paper, or a sample
	Parts []Part // in order
	Count int    // of the requests of a stream; 0: the usual number
}

// Jobs returns the number of requests of a stream.
func (s Scope) Jobs() int {
	switch {
	case s.Count > 0:
		return s.Count
	case s.Full:
		return 10_000
	}
	return 1_000
}

// Streams returns the number of streams at each point.
func (s Scope) Streams() int {
	if s.Full {
		return 20
	}
	return 5
}

// Experiments returns the experiments of the scope, each once, stream by stream.
func (s Scope) Experiments() (all []Experiment) {
	for _, p := range panels {
		if !slices.Contains(s.Parts, p.part) {
			continue
		}
		for _, at := range p.points {
			for number := range s.Streams() {
				for _, name := range policies {
					all = append(all, Experiment{Stream: Stream{at, number, s.Jobs(), false}, Policy: name})
				}
			}
		}
	}
	if slices.Contains(s.Parts, Ours) {
		all = append(all, s.oursExperiments()...)
	}
	slices.SortFunc(all, Experiment.Compare)
	return slices.Compact(all)
}
