package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/sim/report"
	"aliquot/sim/sweep"
)

const simCompareHelp = `Compare policies by the results of sweeps.

RESULTS are files written by aliquot sim sweep; - is standard input. The output shows the means
of all measures and, for the chosen measure, the deciles and the worst traces, each
explained by its worst job, the use of that job's time, and the cause of the bound. --html writes
a self-contained page with figures and all measures.`

func (a *app) simCompareCommand() *cobra.Command {
	var html, name string
	var force bool
	c := &cobra.Command{
		Use: "compare RESULTS...", Short: "Compare policies by the results of sweeps", Long: simCompareHelp,
		Args:    takes("RESULTS..."),
		Example: "  aliquot sim compare sweep.jsonl\n  aliquot sim compare --measure normalized_underutilization --html comparison.html sweep.jsonl",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if err := vacant(force, html); err != nil {
				return err
			}
			return unwritten(a.compare(c.Context(), args, name, html), html)
		}),
	}
	c.Flags().StringVar(&html, "html", "", "write a page with figures to this file")
	c.Flags().BoolVar(&force, "force", false, "replace the file of --html if it exists")
	c.Flags().StringVar(&name, "measure", "",
		"measure to show in full (default: degradation where the bound is known, else max_bounded_stretch)")
	return c
}

func (a *app) compare(ctx context.Context, paths []string, measure, html string) error {
	results, err := a.readResults(ctx, paths)
	if err != nil {
		return err
	}
	c, err := stop.Unless(ctx, func() (c compared, err error) {
		c = comparison(results)
		c.measure, err = c.choose(measure)
		return c, err
	})
	if err != nil {
		return err
	}
	if html != "" {
		if err := file.Write(html, func(w io.Writer) error {
			return c.WriteHTML(stop.Writer{Context: ctx, To: w})
		}); err != nil {
			return err
		}
	}
	return a.show(results, c.page)
}

// compared is a comparison for output.
type compared struct {
	report.Comparison
	measure sweep.Measure // shown in full
}

func comparison(results []sweep.Result) compared {
	return compared{Comparison: report.Compare(results)}
}

func (c compared) choose(name string) (sweep.Measure, error) {
	known := c.Known()
	if name == "" {
		return known[0], nil
	}
	var names []string
	for _, m := range known {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return sweep.Measure{}, usagef("no result has the measure %q: there are %s", name, strings.Join(names, ", "))
}

// text prints the means.
func (c compared) text(w io.Writer) {
	table(w, c.Summary())
	if c.Uneven() {
		fmt.Fprintln(w, "\nThe policies were not all run on the same traces: their means cannot be compared.")
	}
}

// page prints the means and one measure in full.
func (c compared) page(w io.Writer) {
	c.text(w)
	fmt.Fprintf(w, "\nSpread of %s:\n", c.measure.Title)
	table(w, c.Spread(c.measure))
	fmt.Fprintf(w, "\nWorst traces by %s:\n", c.measure.Title)
	table(w, c.Extremes(c.measure))
}
