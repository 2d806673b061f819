package hetero

import (
	"fmt"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// titles are those of the parts on the page.
var titles = map[Part]string{
	fig3: "Figure 3: the overhead of SJS",
	fig4: "Figure 4: the overhead of PJS",
	fig5: "Figure 5: PJS and SJS, all jobs at once",
	fig6: "Figures 6 and 7: priorities, all jobs at once",
	fig8: "Figures 8 and 9, Table 1: arrivals with preemption",
	ours: "A policy of ours: priced against PJS",
}

// plots returns the diagrams of a part. They show the campus.
func (b Book) plots(p Part) []study.Plot {
	switch p {
	case fig3:
		return []study.Plot{b.overheadPlot(p, sizes, "machines", sizes, func(n, m int) Experiment {
			return Experiment{Policy: sjs, Jobs: n, Machines: m}
		})}
	case fig4:
		return []study.Plot{b.overheadPlot(p, many, "% parallel", percents, func(n, percent int) Experiment {
			return Experiment{Policy: pjs, Jobs: n, Machines: 40, Percent: percent}
		})}
	case fig5:
		return []study.Plot{b.batchPlot(), b.savingPlot()}
	case fig6:
		return b.levelPlots()
	case ours:
		return b.oursPlots()
	}
	return b.arrivalPlots()
}

// value returns a measure of one experiment as a mean over it alone.
func (b Book) value(e Experiment, m measure) reproduce.Mean {
	return reproduce.MeanOf(b.results.Values([]Experiment{e}, m))
}

func (b Book) overheadPlot(p Part, jobs []int, what string, series []int,
	of func(jobs, series int) Experiment) study.Plot {
	plot := study.Plot{Name: string(p), Caption: titles[p] + ". The shortest of three equal decisions.",
		Lines: chart.Lines{Title: titles[p], X: chart.Axis{Title: "jobs", Log: p == fig4},
			Y: chart.Axis{Title: "milliseconds"}}}
	for _, s := range series {
		for _, n := range jobs {
			plot.Add(fmt.Sprint(s, " ", what), float64(n),
				b.value(of(n, s), func(r Result) float64 { return 1000 * r.Seconds }))
		}
	}
	return plot
}

func (b Book) batchPlot() study.Plot {
	plot := study.Plot{Name: "fig5-sum", Caption: "Figure 5(b): sum of job times.",
		Lines: chart.Lines{Title: titles[fig5], X: chart.Axis{Title: "jobs"},
			Y: chart.Axis{Title: "sum of job times, seconds"}}}
	for _, name := range []string{olb, sjs, pjs} {
		for _, n := range batches() {
			plot.Add(name, float64(n), b.value(batch(0, name, n), total))
		}
	}
	return plot
}

// savingPlot shows what PJS saves over SJS: on the campus, and on all sites.
func (b Book) savingPlot() study.Plot {
	plot := study.Plot{Name: "fig5-saving", Caption: "Figure 5(a): the part of the sum that PJS saves over SJS. The band holds the mean over all sites with 95% confidence.",
		Lines: chart.Lines{Title: "Figure 5(a): savings of PJS", X: chart.Axis{Title: "jobs"},
			Y: chart.Axis{Title: "saved, %"}}}
	saved := func(j *judgment, n int) float64 { return 100 * j.saving(pjs, sjs, n) }
	for _, n := range batches() {
		if j := (judgment{Book: b}); b.value(batch(0, pjs, n), total).N > 0 {
			plot.Add("campus", float64(n), reproduce.MeanOf([]float64{saved(&j, n)}))
		}
		plot.Add("all sites", float64(n), b.across(func(j *judgment) float64 { return saved(j, n) }))
	}
	return plot
}

var levelWords = []struct{ letter, word string }{{"H", "high"}, {"M", "medium"}, {"L", "low"}}

func (b Book) levelPlots() (plots []study.Plot) {
	for _, mix := range mixes[:3] {
		for _, level := range levelWords {
			title := fmt.Sprintf("Figure 6: %s jobs of %s", level.word, mix.Name)
			plot := study.Plot{Name: fmt.Sprintf("fig6-%d-%s", mix.High, level.word),
				Caption: title + ", sum of their job times.",
				Lines: chart.Lines{Title: title, X: chart.Axis{Title: "jobs of all levels"},
					Y: chart.Axis{Title: "sum of job times, seconds"}}}
			for _, name := range []string{sjs, pjs} {
				for _, n := range totals() {
					plot.Add(name, float64(n), b.value(leveled(0, name, mix, n), levelSum(level.letter)))
				}
			}
			plots = append(plots, plot)
		}
	}
	return plots
}

// arrivals returns a measure at a rate on the campus, over the streams.
func (b Book) arrivals(policy string, mix Mix, rate int, m measure) reproduce.Mean {
	var streams []Experiment
	for stream := range b.Scope.Streams() {
		streams = append(streams, arriving(0, policy, mix, rate, stream))
	}
	return reproduce.MeanOf(b.results.Values(streams, m))
}

func (b Book) arrivalPlots() (plots []study.Plot) {
	draw := func(name, title, axis string, add func(plot *study.Plot, rate int)) {
		plot := study.Plot{Name: name, Caption: title + ". Bands hold the mean over streams with 95% confidence.",
			Lines: chart.Lines{Title: title, X: chart.Axis{Title: "jobs per quantum", Log: true}, Y: chart.Axis{Title: axis}}}
		for _, rate := range rates {
			add(&plot, rate)
		}
		plots = append(plots, plot)
	}
	for _, mix := range mixes[:3] {
		draw(fmt.Sprintf("fig8-%d", mix.High), "Figure 8: job times of "+mix.Name, "mean job time, seconds",
			func(plot *study.Plot, rate int) {
				for _, level := range levelWords {
					plot.Add(level.word, float64(rate), b.arrivals(pjs, mix, rate, levelMean(level.letter)))
				}
			})
	}
	draw("fig9-time", "Figure 9(a): job times by mix", "mean job time, seconds", func(plot *study.Plot, rate int) {
		for _, mix := range mixes {
			plot.Add(mix.Name, float64(rate), b.arrivals(pjs, mix, rate, mean))
		}
		plot.Add("SJS, none", float64(rate), b.arrivals(sjs, mixes[3], rate, mean))
	})
	draw("fig9-parallel", "Figure 9(b): part of parallel jobs", "part of the jobs", func(plot *study.Plot, rate int) {
		for _, mix := range mixes {
			plot.Add(mix.Name, float64(rate), b.arrivals(pjs, mix, rate, share))
		}
	})
	return plots
}
