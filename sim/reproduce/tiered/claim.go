package tiered

import (
	"fmt"
	"math"
	"slices"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

// Checks compares the paper's claims with our results, for the parts of the scope. A point is a load and a measure,
// response or slowdown. A sample shows its numbers and decides nothing.
func (b Book) Checks() (checks []reproduce.Check) {
	for _, p := range panels {
		if slices.Contains(b.Scope.Parts, p.part) {
			checks = append(checks, b.claims(p.part)...)
		}
	}
	if slices.Contains(b.Scope.Parts, "fig6") && slices.Contains(b.Scope.Parts, "fig7") {
		checks = append(b.improvements(), checks...)
	}
	return study.Judged(checks, b.Scope.Full)
}

func (b Book) claims(p Part) []reproduce.Check {
	switch p {
	case "fig6":
		return b.ranking("Figure 6", b.places(FW, false))
	case "fig7":
		return append(b.ranking("Figure 7", b.places(JW, false)),
			b.beaten("Figure 7: REASY is worse than EASY on JW", b.places(JW, false), plain(reasy), plain(easy)))
	case "fig8":
		return b.migrationClaims()
	case "fig9":
		return b.both("Figure 9, without knowledge of CPU use", b.places(FW, false), keasyBlind, measyBlind)
	case "fig10":
		return b.both("Figure 10, without knowledge of CPU use", b.places(JW, false), keasyBlind, measyBlind)
	case "fig11":
		return b.both("Figure 11, all use 100% CPU", b.places(FW, true), keasy, measy)
	case "fig12":
		return b.both("Figure 12, all use 100% CPU", b.places(JW, true), keasy, measy)
	case "fig13":
		return b.costClaims("Figure 13", FW, 900, 1500)
	case "fig14":
		return b.costClaims("Figure 14", JW, 480, 900)
	case Readings:
		return b.readingClaims()
	case Ours:
		return b.oursClaims()
	}
	return nil
}

// claim judges a tally: the claim holds if some points show it and none the contrary.
func claim(what string, t tally) reproduce.Check {
	return reproduce.Check{What: what, Measured: t.String(), Holds: t.better > 0 && t.worse == 0}
}

// beats claims that a variant is better than another.
func (b Book) beats(what string, places []place, v, than Variant) reproduce.Check {
	return claim(what, b.compare(places, v, than, response, slowdown))
}

// beaten claims that a variant is worse than another. Its words count the points of the better one.
func (b Book) beaten(what string, places []place, v, than Variant) reproduce.Check {
	c := b.beats(what, places, than, v)
	if c.Measured != "" {
		c.Measured = fmt.Sprintf("%s is %s", than.Policy, c.Measured)
	}
	return c
}

func (b Book) ranking(figure string, places []place) []reproduce.Check {
	best := b.compare(places, plain(measy), plain(keasy), response, slowdown).
		plus(b.compare(places, plain(measy), plain(reasy), response, slowdown))
	return []reproduce.Check{
		claim(figure+": MEASY is the best of the three", best),
		b.beats(figure+": MEASY is better than EASY", places, plain(measy), plain(easy)),
		b.beaten(figure+": REASY is the worst of the three", places, plain(reasy), plain(keasy)),
	}
}

// both claims that KEASY and MEASY, by these names, are better than EASY, and MEASY better than KEASY.
func (b Book) both(figure string, places []place, kill, move string) []reproduce.Check {
	return []reproduce.Check{
		b.beats(figure+": KEASY is better than EASY", places, plain(kill), plain(easy)),
		b.beats(figure+": MEASY is better than EASY", places, plain(move), plain(easy)),
		b.beats(figure+": MEASY is better than KEASY", places, plain(move), plain(kill)),
	}
}

// improvements compares the numbers of the abstract: the greatest and the mean improvement of MEASY over EASY at all
// loads of both workloads. The paper does not say over what it takes the mean.
func (b Book) improvements() []reproduce.Check {
	var checks []reproduce.Check
	for _, c := range []struct {
		word       string
		m          sweep.Measure
		most, mean float64
	}{{"response", response, .411, .231}, {"slowdown", slowdown, .829, .693}} {
		most, sum, n := math.Inf(-1), 0., 0
		for _, w := range Workloads {
			for _, at := range b.places(w, false) {
				if r := b.ratio(at, plain(measy), plain(easy), c.m); r.N > 0 {
					most, sum, n = max(most, 1-r.Value), sum+1-r.Value, n+1
				}
			}
		}
		checks = append(checks,
			near(fmt.Sprintf("Abstract: MEASY improves mean %s over EASY by up to", c.word), c.most, most, n),
			near(fmt.Sprintf("Abstract: MEASY improves mean %s over EASY on average by", c.word), c.mean, sum/float64(n), n))
	}
	return checks
}

// near claims that our number is within a third of the paper's.
func near(what string, paper, ours float64, n int) reproduce.Check {
	c := reproduce.Check{What: fmt.Sprintf("%s %.1f%%, within a third", what, 100*paper)}
	if n > 0 {
		c.Measured = fmt.Sprintf("%.1f%%", 100*ours)
		c.Holds = ours >= paper/(4./3) && ours <= paper*4/3
	}
	return c
}

func (b Book) migrationClaims() []reproduce.Check {
	all := b.Scope.Tenths()
	compare := func(what string, tenth int, less, more Workload) reproduce.Check {
		low := b.mean(place{less, tenth, false}, plain(measy), migrations)
		high := b.mean(place{more, tenth, false}, plain(measy), migrations)
		c := reproduce.Check{What: fmt.Sprintf("Figure 8: %s, at load 0.%d", what, tenth)}
		if low.N > 0 && high.N > 0 {
			c.Measured = fmt.Sprintf("per job: %s %v, %s %v", less, low, more, high)
			c.Holds = low.High() < high.Low()
		}
		return c
	}
	return []reproduce.Check{
		compare("fewer migrations with JW than with FW when the load is low", all[0], JW, FW),
		compare("more migrations with JW than with FW when the load is high", all[len(all)-1], FW, JW),
	}
}

// costClaims compares MEASY with KEASY by the cost of a migration. Above high the paper sees it slightly worse: here at
// most by a tenth at each point.
func (b Book) costClaims(figure string, w Workload, low, high float64) []reproduce.Check {
	var cheap, dear tally
	worst := 0.
	for _, cost := range costs {
		switch {
		case cost < low:
			cheap = cheap.plus(b.compare(b.places(w, false), costing(measy, cost), plain(keasy), response, slowdown))
		case cost > high:
			dear = dear.plus(b.compare(b.places(w, false), costing(measy, cost), plain(keasy), response, slowdown))
			for _, at := range b.places(w, false) {
				worst = max(worst, b.ratio(at, costing(measy, cost), plain(keasy), response).Value,
					b.ratio(at, costing(measy, cost), plain(keasy), slowdown).Value)
			}
		}
	}
	last := reproduce.Check{
		What: fmt.Sprintf("%s: above %g s MEASY is a little worse than KEASY, at most by a tenth", figure, high),
	}
	if dear.count() > 0 {
		last.Measured = fmt.Sprintf("%v; at most %.2f times KEASY's", dear, worst)
		last.Holds = dear.worse > 0 && worst <= 1.1
	}
	return []reproduce.Check{claim(fmt.Sprintf("%s: below %g s MEASY is better than KEASY", figure, low), cheap), last}
}

// readingClaims asks which reading of the text agrees with the paper's verdict on REASY.
func (b Book) readingClaims() (checks []reproduce.Check) {
	for _, r := range []struct {
		words string
		v     Variant
	}{
		{"extra by the formula, use per job", plain(reasy)}, {"extra by the prose, use per job", plain(reasyProse)},
		{"extra by the formula, use per process", perProcess(reasy)},
		{"extra by the prose, use per process", perProcess(reasyProse)},
	} {
		checks = append(checks, b.beaten(fmt.Sprintf("Reading: REASY is worse than EASY on JW (%s)", r.words),
			b.places(JW, false), r.v, plain(easy)))
	}
	return checks
}
