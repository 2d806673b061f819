package provisioning

import (
	"fmt"

	"aliquot/sim/chart"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// titles are those of the parts on the page.
var titles = map[Part]string{
	slots:  "Chapter 3: what is advertised",
	plans:  "Chapters 4 and 7: plans against best effort",
	prices: "Chapter 5: prices and waits",
	ours:   "Methods of ours",
}

// plots returns the diagrams of a part.
func (b Book) plots(p Part) (plots []study.Plot) {
	usual := planOf(loads[0], means[0], counts[0])
	switch p {
	case plans:
		for _, what := range []string{"makespan", "cost"} {
			plot := newPlot("plans-"+what, "Figures 13 and 52: "+what+" by α, relative to best effort", "α", what)
			for _, method := range []string{"moga", "greedy"} {
				for alpha := range alphas {
					plot.Add(method, float64(alpha)/4, b.mean(usual, fmt.Sprint(method, " ", what, " ", alpha)))
				}
			}
			plots = append(plots, plot)
		}
		plot := newPlot("plans-load", "Figures 16 and 55: makespan by load at α = 0.5, relative to best effort", "load, %",
			"makespan")
		for _, method := range []string{"moga", "greedy"} {
			for _, load := range loads {
				plot.Add(method, float64(load), b.mean(planOf(load, means[0], counts[0]), method+" makespan 2"))
			}
		}
		plots = append(plots, plot)
	case prices:
		plot := newPlot("prices", "Figures 23 and 25: price of a reservation by α and load", "α", "processor-hours")
		for _, load := range loads {
			for alpha := range alphas {
				plot.Add(fmt.Sprint(load, " %"), float64(alpha)/4, b.mean(priceOf(load, alpha, 10, conservative), "price"))
			}
		}
		plots = append(plots, plot)
		plot = newPlot("waits", "Figure 28: waits by α with 50 % reservations", "α", "hours")
		for _, who := range []string{"reserved", "queued"} {
			for alpha := range alphas {
				plot.Add(who, float64(alpha)/4, b.mean(priceOf(63, alpha, 50, conservative), who+" wait"))
			}
		}
		plots = append(plots, plot)
	}
	return plots
}

func newPlot(name, title, x, y string) study.Plot {
	return study.Plot{Name: name, Caption: title + ". Bands hold the mean over streams with 95% confidence.",
		Lines: chart.Lines{Title: title, X: chart.Axis{Title: x}, Y: chart.Axis{Title: y}}}
}

// mean returns the mean of a number over all runs of a setting.
func (b Book) mean(e Experiment, name string) reproduce.Mean {
	return reproduce.MeanOf(b.values(e, name))
}
