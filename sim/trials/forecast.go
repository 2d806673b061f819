package trials

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"aliquot/wording"
)

// minForecast is the least number of missing trials whose run time is forecast.
const minForecast = 100

// RunForetold runs the missing trials like Run. If there are many, it first runs one typical trial of each kind
// without results and writes to out how long the others will take. The results of these trials count.
func (p *Pool) RunForetold(ctx context.Context, all []Entry, out io.Writer) error {
	p.remember(all)
	missing := p.missing(all)
	if first := p.typical(missing); len(missing) >= minForecast && 4*len(first) <= len(missing) {
		if len(first) > 0 {
			fmt.Fprintf(out, "%d of %d experiments first, one of each kind, to foretell how long the others take\n", len(first),
				len(missing))
		}
		if err := p.Run(ctx, first); err != nil {
			return err
		}
		rest := p.missing(all)
		p.begin(len(all), rest)
		fmt.Fprintf(out, "%d experiments to run on %s: %s\n", len(rest), wording.Count(p.Workers, "worker"), p.tally.left())
	}
	return p.Run(ctx, all)
}

// remember learns run times from the results in the file.
func (p *Pool) remember(all []Entry) {
	for _, j := range all {
		if r, ok := p.Results.Get(j.Trial); ok && r.Seconds > 0 && j.Kind != Unforetold {
			p.tally.pace.Learn(j.Trial, j.Kind, j.count, r.Seconds)
		}
	}
}

// typical picks one trial for each policy, period and kind of trace without a known run time: the one with the median
// number of jobs.
func (p *Pool) typical(missing []Entry) (picked []Entry) {
	type class struct {
		policy string
		period float64
		kind   string
	}
	alike := map[class][]Entry{}
	var classes []class
	for _, j := range missing {
		if j.Kind == Unforetold || p.tally.pace.Knows(j.Trial, j.Kind) {
			continue
		}
		x := class{j.Policy, j.Period, j.Kind}
		if alike[x] == nil {
			classes = append(classes, x)
		}
		alike[x] = append(alike[x], j)
	}
	for _, x := range classes {
		jobs := alike[x]
		slices.SortStableFunc(jobs, func(a, b Entry) int { return cmp.Compare(a.count, b.count) })
		picked = append(picked, jobs[len(jobs)/2])
	}
	return picked
}
