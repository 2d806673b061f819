package hetero

import (
	"fmt"
	"math"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// goals judges what priced is to reach against PJS.
func (b Book) goals() (checks []reproduce.Check) {
	for _, g := range []struct {
		low, high int
		least     float64
	}{{15, 30, .3}, {50, 50, .2}} {
		what := fmt.Sprintf("Ours: priced takes at least %.0f %% less than PJS for %d to %d jobs at once", 100*g.least, g.low, g.high)
		checks = append(checks, b.everywhere(what, func(j *judgment) {
			least := math.Inf(1)
			for _, n := range batches() {
				if n >= g.low && n <= g.high {
					least = min(least, j.saving(priced, pjs, n))
				}
			}
			j.say(least >= g.least, "%.0f %% or more", 100*least)
		}))
	}
	checks = append(checks, b.everywhere("Ours: priced is at most 12 % above a lower bound for 5 to 100 jobs at once",
		func(j *judgment) {
			least, most := math.Inf(1), 0.
			for _, n := range batches() {
				above := j.of(batch(j.site, priced, n), total)/j.of(batch(j.site, bound, n), total) - 1
				least, most = min(least, above), max(most, above)
			}
			j.say(most <= .12, "%.0f to %.0f %%", 100*least, 100*most)
		}))
	for _, g := range []struct {
		rate  int
		least float64
	}{{4, .25}, {8, .25}, {16, .15}} {
		for _, mix := range mixes {
			what := fmt.Sprintf("Ours: at rate %d, mix %s, priced takes at least %.0f %% less than PJS", g.rate, mix.Name, 100*g.least)
			checks = append(checks, b.everywhere(what, func(j *judgment) {
				saved := 1 - j.over(priced, mix, g.rate, mean)/j.over(pjs, mix, g.rate, mean)
				j.say(saved >= g.least, "%.0f %%; %.0f %% on average over all sites", 100*saved, 100*b.saved(mix, g.rate))
			}))
		}
	}
	return append(checks,
		b.everywhere("Ours: high jobs are nowhere more than 8 % worse off under priced", func(j *judgment) {
			worst := 0.
			for _, r := range j.highRatios() {
				worst = max(worst, r)
			}
			j.say(worst <= 1.08, "at most %.2f times", worst)
		}),
		b.everywhere("Ours: high jobs are not worse off on average under priced", func(j *judgment) {
			m := reproduce.MeanOf(j.highRatios()).Value
			j.say(m <= 1, "%.2f times", m)
		}))
}

// highRatios returns the mean job time of high jobs under priced over that under PJS, at all rates and mixes.
func (j *judgment) highRatios() (ratios []float64) {
	for _, mix := range mixes[:3] {
		for _, rate := range rates {
			ratios = append(ratios, j.over(priced, mix, rate, levelMean("H"))/j.over(pjs, mix, rate, levelMean("H")))
		}
	}
	return ratios
}

// saved returns the part of the mean job time that priced saves over PJS, as the mean over all sites.
func (b Book) saved(mix Mix, rate int) float64 {
	var all []float64
	for number := range b.Scope.Sites() {
		j := judgment{Book: b, site: number}
		all = append(all, 1-j.over(priced, mix, rate, mean)/j.over(pjs, mix, rate, mean))
	}
	return reproduce.MeanOf(all).Value
}

// oursPlots show what priced saves over PJS, on average over all sites.
func (b Book) oursPlots() []study.Plot {
	at := study.Plot{Name: "ours-batch", Caption: "All jobs at once: the part of the sum of job times that priced saves over PJS. The band holds the mean over all sites with 95% confidence.",
		Lines: chart.Lines{Title: "Ours, all jobs at once", X: chart.Axis{Title: "jobs"}, Y: chart.Axis{Title: "saved, %"}}}
	for _, n := range batches() {
		at.Add("priced", float64(n), b.across(func(j *judgment) float64 { return 100 * j.saving(priced, pjs, n) }))
		at.Add("no plan saves more", float64(n), b.across(func(j *judgment) float64 { return 100 * j.saving(bound, pjs, n) }))
	}
	on := study.Plot{Name: "ours-arrivals", Caption: "Arrivals with preemption: the part of the mean job time that priced saves over PJS, by mix.",
		Lines: chart.Lines{Title: "Ours, arrivals", X: chart.Axis{Title: "jobs per quantum", Log: true},
			Y: chart.Axis{Title: "saved, %"}}}
	for _, mix := range mixes {
		for _, rate := range rates {
			on.Add(mix.Name, float64(rate), b.across(func(j *judgment) float64 {
				return 100 * (1 - j.over(priced, mix, rate, mean)/j.over(pjs, mix, rate, mean))
			}))
		}
	}
	return []study.Plot{at, on}
}

// across returns the mean of a number over all sites on which it was run.
func (b Book) across(of func(*judgment) float64) reproduce.Mean {
	var all []float64
	for number := range b.Scope.Sites() {
		j := judgment{Book: b, site: number}
		if value := of(&j); !j.missing {
			all = append(all, value)
		}
	}
	return reproduce.MeanOf(all)
}
