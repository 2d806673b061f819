package reserve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// How close two policies are that the paper calls almost identical or similar, and how straight a line is that it calls
// almost linear. The paper's figures, which would tell, are lost.
const (
	samePart = 0.01 // of all jobs
	sameSlow = 0.05 // of slowdown
	linear   = 0.95 // coefficient of determination
)

// Checks compares every claim of the paper's text with our results, for the parts of the scope. A sample shows its
// numbers and decides nothing.
func (b Book) Checks() (checks []reproduce.Check) {
	for _, p := range b.Scope.Parts {
		checks = append(checks, b.claims(p)...)
	}
	if len(b.panels()) == len(panels) {
		checks = append(checks, b.conclusions()...)
	}
	return study.Judged(checks, b.Scope.Full)
}

func (b Book) claims(p Part) []reproduce.Check {
	switch p {
	case "fig2":
		return b.acceptanceBySize()
	case "fig3":
		return append(b.slowdownBy("Figure 3", sizes, "UMed"),
			b.alike("Figure 3", sizes, peW, duB, slowdown, sameSlow), b.alike("Figure 3", sizes, peB, duW, slowdown, sameSlow),
			b.apart("Figure 3", sizes, peDuB, peDuW, slowdown, sameSlow))
	case "fig4":
		return []reproduce.Check{b.moves("Figure 4: acceptance falls for all as the arrival factor grows", arrivals, policies,
			acceptance, -1), b.best("Figure 4", arrivals)}
	case "fig5":
		return b.slowdownBy("Figure 5", arrivals, "the arrival factor")
	case "fig6":
		return b.acceptanceByFlexibility()
	case "fig7":
		return b.slowdownBy("Figure 7", flexibility, "flexibility")
	case Ours:
		return b.oursClaims()
	}
	return nil
}

func (b Book) acceptanceBySize() []reproduce.Check {
	checks := []reproduce.Check{
		b.moves("Figure 2: acceptance falls for all as UMed grows", sizes, policies, acceptance, -1),
		b.alike("Figure 2", sizes, peW, duB, acceptance, samePart),
		b.alike("Figure 2", sizes, peDuB, peDuW, acceptance, samePart),
		b.alike("Figure 2", sizes, peB, duW, acceptance, samePart),
	}
	for _, name := range []string{peW, duB, peDuB, peDuW} {
		checks = append(checks, b.beats(fmt.Sprintf("Figure 2: %s accepts more than FF", name), sizes, name, ff, acceptance))
	}
	for _, name := range []string{peB, duW} {
		c := b.beats(fmt.Sprintf("Figure 2: %s does not accept more than FF", name), sizes, name, ff, acceptance)
		t := tallyOf(b.differences(sizes.points, name, ff, acceptance))
		c.Holds = t.count() > 0 && t.more == 0
		checks = append(checks, c)
	}
	return append(checks, b.best("Figure 2", sizes),
		b.apart("Figure 2", sizes, peB, peW, acceptance, samePart),
		b.apart("Figure 2", sizes, duB, duW, acceptance, samePart))
}

func (b Book) slowdownBy(figure string, a axis, what string) []reproduce.Check {
	var slower []reproduce.Mean
	for _, name := range others {
		slower = append(slower, b.differences(a.points, name, ff, slowdown)...)
	}
	lowest := tallyOf(slower)
	return []reproduce.Check{
		b.moves(fmt.Sprintf("%s: slowdown rises for all with %s", figure, what), a, policies, slowdown, 1),
		{What: figure + ": FF has the lowest slowdown", Measured: lowest.words("higher", "lower"),
			Holds: lowest.more > 0 && lowest.less == 0},
	}
}

func (b Book) acceptanceByFlexibility() (checks []reproduce.Check) {
	for _, name := range []string{peW, duB, peDuB} {
		c, straight, _ := b.shape(fmt.Sprintf("Figure 6: acceptance of %s rises almost linearly with flexibility", name), name)
		c.Holds = straight
		checks = append(checks, c)
	}
	for _, name := range []string{ff, peB, duW, peDuW} {
		c, _, dips := b.shape(fmt.Sprintf("Figure 6: acceptance of %s is not stable, especially at {4,4}", name), name)
		c.Holds = dips
		checks = append(checks, c)
	}
	var ahead []reproduce.Mean
	for _, name := range slices.DeleteFunc(slices.Clone(policies), func(p string) bool { return p == peW }) {
		ahead = append(ahead, b.differences(flexibility.points, peW, name, acceptance)...)
	}
	best := tallyOf(ahead)
	ends := flexibility.points
	low := b.gain(cell{ends[0], peW}, cell{ends[0], duB}, acceptance)
	high := b.gain(cell{ends[len(ends)-1], peW}, cell{ends[len(ends)-1], duB}, acceptance)
	grows := reproduce.Check{What: "Figure 6: PE_W accepts more than Du_B as flexibility rises"}
	if low.N > 0 && high.N > 0 {
		grows.Measured = fmt.Sprintf("difference at {1,1} %s, at {5,5} %s", points(low), points(high))
		grows.Holds = high.Low() > 0 && high.Value > low.Value
	}
	return append(checks, reproduce.Check{What: "Figure 6: PE_W accepts the most at all flexibilities",
		Measured: best.words("more", "fewer"), Holds: best.more > 0 && best.less == 0}, grows)
}

// conclusions are the claims of the paper's last section.
func (b Book) conclusions() []reproduce.Check {
	everywhere := everyPoint()
	var ahead, slower []reproduce.Mean
	for _, name := range policies {
		if name != peW {
			ahead = append(ahead, b.differences(everywhere, peW, name, acceptance)...)
		}
		if name != ff {
			slower = append(slower, b.differences(everywhere, name, ff, slowdown)...)
		}
	}
	most, slow := tallyOf(ahead), tallyOf(slower)
	work := tallyOf(b.differences(everywhere, peW, ff, acceptedWork))
	return []reproduce.Check{
		{What: "Conclusion: PE_W has the highest acceptance rate", Measured: most.words("higher", "lower"),
			Holds: most.more > 0 && most.less == 0},
		{What: "Conclusion: FF has the lowest slowdown", Measured: slow.words("higher", "lower"),
			Holds: slow.more > 0 && slow.less == 0},
		{What: "Not claimed: PE_W accepts more work than FF, too", Measured: work.words("more", "less"),
			Holds: work.more > 0 && work.less == 0},
	}
}

// beats claims that a policy has more of a measure than another.
func (b Book) beats(what string, a axis, policy, than string, m measure) reproduce.Check {
	t := tallyOf(b.differences(a.points, policy, than, m))
	return reproduce.Check{What: what, Measured: t.words("more", "less"), Holds: t.more > 0 && t.less == 0}
}

// moves claims that a measure of all the policies falls (sign -1) or rises from each point to the next.
func (b Book) moves(what string, a axis, names []string, m measure, sign float64) reproduce.Check {
	var steps []reproduce.Mean
	for _, name := range names {
		for i := range a.points[1:] {
			steps = append(steps, b.gain(cell{a.points[i+1], name}, cell{a.points[i], name}, m))
		}
	}
	t := tallyOf(steps)
	c := reproduce.Check{What: what, Holds: t.more > 0 && t.less+t.open == 0}
	if sign < 0 {
		c.Holds = t.less > 0 && t.more+t.open == 0
	}
	if t.count() > 0 {
		c.Measured = fmt.Sprintf("of %d steps, %d rise and %d fall", t.count(), t.more, t.less)
	}
	return c
}

// alike claims that two policies differ by little at every point.
func (b Book) alike(figure string, a axis, one, other string, m measure, most float64) reproduce.Check {
	c := reproduce.Check{What: fmt.Sprintf("%s: %s of %s and %s differ by at most %g", figure, m.name, one, other, most)}
	if worst, run := b.farthest(a, one, other, m); run {
		c.Measured, c.Holds = fmt.Sprintf("by at most %.3f", worst), worst <= most
	}
	return c
}

// apart claims that two policies differ somewhere by more than alike ones do.
func (b Book) apart(figure string, a axis, one, other string, m measure, least float64) reproduce.Check {
	c := reproduce.Check{What: fmt.Sprintf("%s: %s of %s and %s is different, by more than %g", figure, m.name, one, other,
		least)}
	if worst, run := b.farthest(a, one, other, m); run {
		c.Measured, c.Holds = fmt.Sprintf("by at most %.3f", worst), worst > least
	}
	return c
}

// farthest returns the greatest difference of the means of two policies at any point.
func (b Book) farthest(a axis, one, other string, m measure) (worst float64, run bool) {
	for _, at := range a.points {
		d := b.gain(cell{at, one}, cell{at, other}, m)
		if d.N == 0 {
			return 0, false
		}
		worst = max(worst, math.Abs(d.Value))
	}
	return worst, true
}

// best claims that PE_W and Du_B have the two highest acceptance rates at every point.
func (b Book) best(figure string, a axis) reproduce.Check {
	c := reproduce.Check{What: figure + ": PE_W and Du_B accept the most at all points"}
	first := 0
	var rivals []string
	for _, at := range a.points {
		least := min(b.mean(at, peW, acceptance).Value, b.mean(at, duB, acceptance).Value)
		ahead := true
		for _, name := range policies {
			if b.mean(at, name, acceptance).N == 0 {
				return c
			}
			if name != peW && name != duB && b.mean(at, name, acceptance).Value > least {
				ahead = false
				if !slices.Contains(rivals, name) {
					rivals = append(rivals, name)
				}
			}
		}
		if ahead {
			first++
		}
	}
	c.Measured, c.Holds = fmt.Sprintf("at %d of %d points", first, len(a.points)), first == len(a.points)
	if len(rivals) > 0 {
		c.Measured += "; else ahead of one of them: " + strings.Join(rivals, ", ")
	}
	return c
}

// shape describes how a policy's acceptance depends on flexibility, and reports whether it rises almost linearly, and
// whether it falls before or after {4,4}.
func (b Book) shape(what, policy string) (c reproduce.Check, straight, dips bool) {
	c.What = what
	var x, y []float64
	var steps []reproduce.Mean
	for i, at := range flexibility.points {
		m := b.mean(at, policy, acceptance)
		if m.N == 0 {
			return c, false, false
		}
		x, y = append(x, float64(at.Flex)), append(y, m.Value)
		if i > 0 {
			step := b.gain(cell{at, policy}, cell{flexibility.points[i-1], policy}, acceptance)
			steps, dips = append(steps, step), dips || at.Flex >= 4 && step.High() < 0
		}
	}
	alpha, beta := stat.LinearRegression(x, y, nil, false)
	fit, t := stat.RSquared(x, y, nil, alpha, beta), tallyOf(steps)
	c.Measured = fmt.Sprintf("R² %.3f, %+.1f points a step; %d of %d steps rise, %d fall", fit, 100*beta, t.more, t.count(),
		t.less)
	return c, fit >= linear && beta > 0 && t.less == 0, dips
}

// points formats a difference of parts in percentage points.
func points(m reproduce.Mean) string {
	return fmt.Sprintf("%+.2f ± %.2f points", 100*m.Value, 100*m.Half)
}
