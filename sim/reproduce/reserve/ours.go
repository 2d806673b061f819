package reserve

import (
	"fmt"
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

// Ours compares the paper's policies with reserve/shares, a policy of ours.
const Ours Part = "ours"

const oursTitle = "A policy of ours: changing shares of nodes"

// Names of the policies behind reserve/.
const (
	shares   = "shares"
	withheld = "shares/withheld=0.1"
)

// move is what moving or resuming a job costs where that is not free, in seconds.
const move = 60

// mostOurs is the greatest number of streams at a point on which policies are compared with ours.
const mostOurs = 5

// variant is a policy with the conditions under which it runs.
type variant struct {
	policy string
	cost   int // of moving or resuming a job, in seconds
	early  bool
}

var (
	plainFF    = variant{policy: ff}
	plainPEW   = variant{policy: peW}
	plainOurs  = variant{policy: shares}
	spareOurs  = variant{policy: withheld}
	costlyOurs = variant{policy: withheld, cost: move}
	earlyPEW   = variant{policy: peW, early: true}
	earlyOurs  = variant{policy: withheld, cost: move, early: true}

	variants = []variant{plainFF, plainPEW, plainOurs, spareOurs, costlyOurs, earlyPEW, earlyOurs}
)

// String returns the name of the variant in figures.
func (v variant) String() string {
	name := v.policy
	if v.cost > 0 {
		name += fmt.Sprintf(", %d s a move", v.cost)
	}
	if v.early {
		name += ", jobs end early"
	}
	return name
}

// everyPoint lists all points at which a parameter is varied.
func everyPoint() []Point {
	all := slices.Concat(sizes.points, arrivals.points, flexibility.points)
	slices.SortFunc(all, Point.Compare)
	return slices.Compact(all)
}

// ours lists the experiments of a variant at a point.
func (s Scope) ours(at Point, v variant) (all []Experiment) {
	for number := range min(s.Streams(), mostOurs) {
		all = append(all, Experiment{Stream{at, number, s.Jobs(), v.early}, v.policy, v.cost})
	}
	return all
}

func (s Scope) oursExperiments() (all []Experiment) {
	for _, at := range everyPoint() {
		for _, v := range variants {
			all = append(all, s.ours(at, v)...)
		}
	}
	return all
}

// missed is the number of admitted jobs that were not done at their deadline.
var missed = measure{"missed deadlines", func(r sweep.Result) float64 { return float64(r.Reservations.Missed) }}

// oursClaims judges the goals of our policy.
func (b Book) oursClaims() []reproduce.Check {
	at := []Point{usual}
	return []reproduce.Check{
		b.ahead("at the default point", at, plainOurs, plainPEW, acceptance, .09),
		b.ahead("at the default point", at, plainOurs, plainPEW, acceptedWork, .15),
		b.ahead("at the default point", at, spareOurs, plainPEW, acceptance, .08),
		b.ahead("at the default point", at, spareOurs, plainPEW, acceptedWork, .1),
		b.ahead("at the default point", at, costlyOurs, plainPEW, acceptance, .08),
		b.ahead("at the default point", at, costlyOurs, plainPEW, acceptedWork, .1),
		b.ahead("at every point", everyPoint(), plainOurs, plainPEW, acceptance, 0),
		b.ahead("at every point", everyPoint(), plainOurs, plainPEW, acceptedWork, 0),
		b.ahead("at every point", everyPoint(), plainOurs, plainFF, acceptedWork, 0),
		b.ahead("at every point", everyPoint(), costlyOurs, plainPEW, acceptance, 0),
		b.ahead("at every point", everyPoint(), costlyOurs, plainPEW, acceptedWork, 0),
		b.ahead("at every point", everyPoint(), earlyOurs, earlyPEW, acceptance, 0),
		b.ahead("at every point", everyPoint(), earlyOurs, earlyPEW, acceptedWork, 0),
		b.most("slowdown of "+shares+" below 1.2 at the default point", at, plainOurs, slowdown, 1.2),
		b.most("no deadline missed by "+shares, everyPoint(), plainOurs, missed, 0),
		b.most("no deadline missed by "+spareOurs.String(), everyPoint(), spareOurs, missed, 0),
		b.most("no deadline missed by "+costlyOurs.String(), everyPoint(), costlyOurs, missed, 0),
		b.most("no deadline missed by "+earlyOurs.String(), everyPoint(), earlyOurs, missed, 0),
	}
}

// ahead claims that a variant accepts more than another at all points, by a least gain: in parts of all jobs, or for
// work in parts of the other's.
func (b Book) ahead(where string, at []Point, v, than variant, m measure, least float64) reproduce.Check {
	c := reproduce.Check{What: fmt.Sprintf("Ours: %s of %v above that of %v %s", m.name, v, than, where)}
	if least > 0 {
		c.What += fmt.Sprintf(", by %g%%", 100*least)
	}
	worst := reproduce.Mean{}
	for _, p := range at {
		g := b.oursGain(p, v, than, m)
		if g.N == 0 {
			return c
		}
		if worst.N == 0 || g.Value < worst.Value {
			worst = g
		}
	}
	c.Measured = fmt.Sprintf("%+.1f ± %.1f%%", 100*worst.Value, 100*worst.Half)
	if len(at) > 1 {
		c.Measured += " where it is least"
	}
	c.Holds = worst.Value >= least && worst.Low() > 0
	return c
}

// oursGain returns the mean gain of a variant over another at a point.
func (b Book) oursGain(at Point, v, than variant, m measure) reproduce.Mean {
	values, others := b.oursValues(at, v, m), b.oursValues(at, than, m)
	if values == nil || others == nil {
		return reproduce.Mean{}
	}
	for i := range values {
		values[i] -= others[i]
		if m.name == acceptedWork.name {
			values[i] /= others[i]
		}
	}
	return reproduce.MeanOf(values)
}

func (b Book) oursValues(at Point, v variant, m measure) []float64 {
	return b.results.Values(b.Scope.ours(at, v), m.of)
}

// most claims that a measure of a variant is at most a limit on every stream at all points.
func (b Book) most(what string, at []Point, v variant, m measure, limit float64) reproduce.Check {
	c := reproduce.Check{What: "Ours: " + what}
	worst, sum := 0., 0.
	for _, p := range at {
		values := b.oursValues(p, v, m)
		if values == nil {
			return c
		}
		for _, x := range values {
			worst, sum = max(worst, x), sum+x
		}
	}
	c.Measured, c.Holds = fmt.Sprintf("at most %.3g on a stream", worst), worst <= limit
	if limit == 0 && sum > 0 {
		c.Measured += fmt.Sprintf(", %g of %d jobs in all", sum, len(at)*len(b.Scope.ours(usual, v))*b.Scope.Jobs())
	}
	return c
}

// oursPlots shows acceptance and accepted work of all variants along each axis.
func (b Book) oursPlots() (plots []study.Plot) {
	for _, a := range []struct {
		axis
		name string
	}{{sizes, "sizes"}, {arrivals, "load"}, {flexibility, "flexibility"}} {
		for _, m := range []measure{acceptance, acceptedWork} {
			first, last := a.points[0], a.points[len(a.points)-1]
			name := map[string]string{acceptance.name: "count", acceptedWork.name: "work"}[m.name]
			title := fmt.Sprintf("%s against %s", m.name, a.title)
			plot := study.Plot{Name: fmt.Sprintf("ours-%s-%s", name, a.name),
				Caption: title + ". Bands hold the mean with 95% confidence.",
				Lines: chart.Lines{Title: title, Y: chart.Axis{Title: m.name},
					X: chart.Axis{Title: a.title, Low: a.value(first), High: a.value(last)}}}
			for _, v := range variants {
				for _, at := range a.points {
					plot.Add(v.String(), a.value(at), reproduce.MeanOf(b.oursValues(at, v, m)))
				}
			}
			plots = append(plots, plot)
		}
	}
	return plots
}
