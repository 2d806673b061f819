package tiered

import (
	"fmt"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

// oursClaims judges the goals of our policy against MEASY, workload by workload.
func (b Book) oursClaims() (checks []reproduce.Check) {
	for _, w := range Workloads {
		all := b.places(w, false)
		var busy []place
		for _, at := range all {
			if at.tenth >= 6 {
				busy = append(busy, at)
			}
		}
		others := costing(measy, expensive)
		checks = append(checks,
			b.lower("mean slowdown, from load 0.6 on", busy, plain(attained), plain(measy), slowdown, 3),
			b.lower("greatest slowdown, from load 0.6 on", busy, plain(attained), plain(measy), greatest, 20),
			b.lower("mean response", all, plain(attained), plain(measy), response, 1),
			b.seldom(all),
			b.lower("mean slowdown", all, costing(attained, expensive), others, slowdown, 1.5),
			b.lower("mean slowdown", all, costing(attainedFree, expensive), others, slowdown, 1.5),
			b.lower("mean response", all, costing(attained, expensive), others, response, 1),
			b.lower("mean response", all, costing(attainedFree, expensive), others, response, 1),
		)
	}
	return checks
}

// lower claims that a measure of a variant is lower than that of another by a factor at every place.
func (b Book) lower(what string, places []place, v, than Variant, m sweep.Measure, factor float64) reproduce.Check {
	least, most, n := 0., 0., 0
	for _, at := range places {
		r := b.ratio(at, v, than, m)
		if r.N == 0 {
			continue
		}
		if times := 1 / r.Value; n == 0 {
			least, most = times, times
		} else {
			least, most = min(least, times), max(most, times)
		}
		n++
	}
	c := reproduce.Check{What: fmt.Sprintf("Ours, %s: %s of %v at least %g times lower than of %v",
		places[0].workload, what, v, factor, than)}
	if n > 0 {
		c.Measured, c.Holds = fmt.Sprintf("%.2f to %.2f times", least, most), least >= factor
	}
	return c
}

// seldom claims that our policy resumes or migrates a job at most three times in the mean.
func (b Book) seldom(places []place) reproduce.Check {
	c := reproduce.Check{What: fmt.Sprintf("Ours, %s: at most 3 resumptions and migrations per job", places[0].workload)}
	most := 0.
	for _, at := range places {
		if m := b.mean(at, plain(attained), moves); m.N > 0 {
			most = max(most, m.Value)
			c.Measured, c.Holds = fmt.Sprintf("at most %.2f", most), most <= 3
		}
	}
	return c
}

// oursPlots shows the measures of all variants against the load.
func (b Book) oursPlots(p panel) (plots []study.Plot) {
	for _, w := range p.workloads {
		for _, m := range []struct {
			measure    sweep.Measure
			name, axis string
		}{
			{response, "response", "mean response time, seconds"}, {slowdown, "slowdown", "mean bounded slowdown"},
			{greatest, "worst", "greatest bounded slowdown"}, {moves, "moves", moves.Title},
		} {
			title := fmt.Sprintf("%s, %s", p.title, w)
			plot := study.Plot{Name: fmt.Sprintf("%s-%s-%s", p.part, w, m.name),
				Caption: fmt.Sprintf("%s: %s. Bands hold the mean with 95%% confidence.", title, m.axis),
				Lines: chart.Lines{Title: title, X: b.Scope.loads(),
					Y: chart.Axis{Title: m.axis, Log: m.measure.Log && m.name != "response"}}}
			for _, v := range p.variants {
				for _, at := range b.places(w, false) {
					plot.Add(v.String(), float64(at.tenth)/10, b.mean(at, v, m.measure))
				}
			}
			plots = append(plots, plot)
		}
	}
	return plots
}
