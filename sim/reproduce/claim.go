package reproduce

import (
	"math"
	"slices"
	"strings"

	"aliquot/sim/sweep"
)

// Claim is a statement of the report's text in numbers, with ours.
type Claim struct {
	Source, Words string
	Set           Set
	Algorithm     string
	Published     float64
	Ours          *float64 // nil: not run
	Scaled        bool     // our count is over fewer traces than the report's and is scaled to their number
}

// Ratio returns our number over the report's; nil if ours was not run.
func (c Claim) Ratio() *float64 {
	if c.Ours == nil {
		return nil
	}
	ratio := *c.Ours / c.Published
	return &ratio
}

// limit reports whether the report's number is an upper limit: the text says "at most", or gives times of the
// authors' machine.
func (c Claim) limit() bool {
	return strings.HasSuffix(c.Words, "at most") || strings.Contains(c.Words, "seconds")
}

// Far reports whether our number differs from the report's by more than a third. If that is a limit, only exceeding
// it counts.
func (c Claim) Far() bool {
	r := c.Ratio()
	return r != nil && (*r >= farRatio || *r <= 1/farRatio && !c.limit())
}

// claims returns the claims of a source.
func (b Book) claims(source string) (claims []Claim) {
	for _, f := range paper {
		if f.source == source {
			if f.algorithm == EASY {
				f.algorithm = EASYOfPaper // the report's numbers are those of this EASY
			}
			c := Claim{Source: source, Words: f.measure, Set: f.set, Algorithm: f.algorithm, Published: f.value,
				Ours: b.claim(f)}
			c.Scaled = c.Ours != nil && f.measure == decisions && len(b.results(f.set, fastest, usual)) < f.set.size()
			claims = append(claims, c)
		}
	}
	return claims
}

// Claims returns the claims of the text about a part.
func (b Book) Claims(p Part) []Claim {
	return b.claims(map[Part]string{Figure1: "Figure 1", Figure3: "Figure 3", Figure4: "Figure 4", Times: "Section 6.2",
		AppendixB: "Appendix B"}[p])
}

// claim returns our number for a statement of the report's text.
func (b Book) claim(f figure) *float64 {
	if f.source == "Section 6.2" {
		return b.time(f.measure)
	}
	at := func(period float64, m sweep.Measure) (float64, int) {
		d := b.over(f.set, f.algorithm, period, m)
		return d.Mean, d.N
	}
	switch f.measure {
	case "degradation mean":
		return known(at(usual, measure("degradation")))
	case "underutilization mean":
		return known(at(usual, measure("underutilization")))
	case "underutilization plateau":
		_, least := b.leastUnderused(f.set, figurePeriods)
		return least
	case "period beyond which underutilization rises":
		period, _ := b.leastUnderused(f.set, slices.Concat(figurePeriods, beyondPeriods))
		return period
	case "period from which underutilization is below EASY":
		return b.crossing(f.set)
	case "degradation at 12000 s over that at 600 s at most":
		return quotient(at(12000, measure("degradation")))(at(usual, measure("degradation")))
	case "bandwidth at 3600 s over that at 600 s":
		return quotient(at(3600, bandwidth))(at(usual, bandwidth))
	case "bandwidth at 3600 s at most":
		return known(at(3600, bandwidth))
	}
	return nil
}

func known(v float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	return &v
}

func quotient(a float64, n int) func(float64, int) *float64 {
	return func(b float64, m int) *float64 {
		if b == 0 {
			return nil
		}
		return known(a/b, min(n, m))
	}
}

// leastUnderused returns the period with the least mean underutilization, and that mean; nil if fewer than two
// periods were run.
func (b Book) leastUnderused(set Set, periods []float64) (period, least *float64) {
	low, at, run := math.Inf(1), 0., 0
	for _, p := range periods {
		if d := b.over(set, Best, p, measure("underutilization")); d.N > 0 {
			run++
			if d.Mean < low {
				low, at = d.Mean, p
			}
		}
	}
	if run < 2 {
		return nil, nil
	}
	return &at, &low
}

// crossing returns the least of the figure's periods from which on the best algorithm leaves less unused than EASY;
// nil if there is none.
func (b Book) crossing(set Set) *float64 {
	easy := b.over(set, EASYOfPaper, usual, measure("underutilization"))
	var from *float64
	for _, p := range figurePeriods {
		d := b.over(set, Best, p, measure("underutilization"))
		switch {
		case d.N == 0 || easy.N == 0:
		case d.Mean >= easy.Mean:
			from = nil
		case from == nil:
			from = &p
		}
	}
	return from
}

// decisions names the one number of section 6.2 that grows with the number of traces.
const decisions = "decisions"

// time returns a number of section 6.2 from the decisions of all traces together. A count is scaled to the report's
// number of traces.
func (b Book) time(words string) *float64 {
	var d sweep.Thinking
	results := b.results(Unscaled, fastest, usual)
	for _, r := range results {
		d.Add(r.Thinking)
	}
	all := d.Few + d.Many
	if all == 0 {
		return nil
	}
	v, n := map[string]float64{
		decisions: float64(all) * float64(Unscaled.size()) / float64(len(results)),
		"percent of decisions for at most 10 jobs": 100 * float64(d.Few) / float64(all),
		"seconds for at most 10 jobs at most":      d.FewLongest,
		"mean seconds for 11 jobs or more":         d.ManyTotal / float64(max(1, d.Many)),
		"maximum seconds":                          d.Longest,
		"maximum jobs":                             float64(d.MostJobs),
	}[words], all
	return known(v, n)
}
