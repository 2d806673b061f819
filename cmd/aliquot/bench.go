package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/packing/study/benchmark"
	"aliquot/packing/study/instance"
	"aliquot/sim/chart"
)

const benchPackingHelp = `Measure how fast and how good packing is, on instances drawn by seed.

The first table is the time of MCB8's complete search for the yield at accuracy 0.01, the
fastest of a few runs, on one core unless --workers says otherwise, and the total demand of
the tasks drawn. The second compares heuristics at accuracy 0.001: the mean
gap to the bound of MCB8 and of the portfolio, the gap of MCB8
to the linear relaxation alone, and how often each single heuristic is best.
Gaps concern the yield of the worst-off job. Times differ from machine to machine;
everything else is the same everywhere. Ctrl-C ends with the complete rows.`

// benchFlags are the flags of bench packing.
type benchFlags struct {
	seeds, nodes, workers int
	plot                  string
	speed                 bool
}

func (a *app) benchCommand() *cobra.Command {
	return group("bench", "Measure the algorithms on this machine",
		"Measure the algorithms on this machine. No manager is needed.",
		a.benchPackingCommand(), a.benchMovesCommand())
}

func (a *app) benchPackingCommand() *cobra.Command {
	f := benchFlags{}
	c := &cobra.Command{
		Use: "packing", Short: "Measure packing, and compare heuristics", Long: benchPackingHelp, Args: takes(),
		Example: "  aliquot bench packing\n  aliquot bench packing --speed --nodes 100000 --plot growth.svg\n  aliquot bench packing --seeds 20 --nodes 128",
		RunE: a.local(func(c *cobra.Command, _ []string) error {
			switch {
			case f.seeds < 1 || f.seeds > 1000 || f.nodes < 128:
				return usagef("--seeds must be from 1 to 1000, and --nodes at least 128")
			case f.workers < 1:
				return usagef("--workers must be at least 1")
			case f.plot != "" && f.nodes < 1000:
				return usagef("--plot needs more than one size to draw: --nodes must be at least 1000")
			}
			return a.benchPacking(c.Context(), f)
		}),
	}
	flags := c.Flags()
	flags.IntVar(&f.seeds, "seeds", 5, "instances of every family")
	flags.IntVar(&f.nodes, "nodes", 1000, "skip families with more nodes")
	flags.StringVar(&f.plot, "plot", "", "draw how the time grows with the number of tasks, as an SVG file")
	flags.IntVar(&f.workers, "workers", 1,
		"levels that MCB8 tries at the same time, at most 3 and the processors; the answer is the same")
	flags.BoolVar(&f.speed, "speed", false, "skip the comparison of heuristics")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// packingBench holds the measurements.
type packingBench struct {
	Speed   []benchmark.Speed   `json:"speed"`
	Quality []benchmark.Quality `json:"quality"`
}

func (a *app) benchPacking(ctx context.Context, f benchFlags) error {
	p := a.progress(10 * time.Second)
	defer p.End()
	if f.plot != "" { // reports an unwritable file before the long run
		if err := file.Writable(f.plot); err != nil {
			return usage{err}
		}
	}
	var b packingBench
	for _, family := range instance.Goals() {
		if family.Nodes > f.nodes {
			continue
		}
		p.Show(func() string { return "timing " + family.String() })
		row := benchmark.Time(family, f.workers, stop.Asked(ctx))
		if ctx.Err() != nil {
			break
		}
		b.Speed = append(b.Speed, row)
	}
	for _, family := range benchmark.Compared() {
		if family.Nodes > f.nodes || f.speed {
			continue
		}
		row := benchmark.Compare(family, f.seeds, stop.Asked(ctx), func(done int) {
			p.Show(func() string { return fmt.Sprintf("comparing %v: %d of %d seeds", family, done, f.seeds) })
		})
		if ctx.Err() != nil {
			break
		}
		b.Quality = append(b.Quality, row)
	}
	p.End()
	if err := a.shown(ctx, b, b.text); err != nil || f.plot == "" {
		return unwritten(err, f.plot)
	}
	return file.Write(f.plot, text(growth(b.Speed)))
}

// shown prints the rows so far, and notes that they are incomplete if the user has interrupted.
func (a *app) shown(ctx context.Context, rows any, text func(io.Writer)) error {
	if err := a.show(rows, text); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return stop.Err
	}
	return nil
}

func (b packingBench) text(w io.Writer) {
	rows := [][]string{{"FAMILY", "TASKS", "MEMORY", "NEED", "MS", "PROBES", "DROPPED", "YIELD"}}
	for _, s := range b.Speed {
		rows = append(rows, []string{s.Family, strconv.Itoa(s.Tasks), decimals(100*s.Memory, 1) + "%",
			decimals(100*s.Need, 1) + "%", decimals(s.Milliseconds, 3), strconv.Itoa(s.Probes), strconv.Itoa(s.Dropped),
			decimals(s.Yield, 4)})
	}
	table(w, rows)
	if len(b.Quality) == 0 {
		return
	}
	fmt.Fprintln(w)
	rows = [][]string{{"FAMILY", "LP GAP", "MCB8'S GAP", "GAP", "RATIO", "WORSE", "MS", "BEST SINGLE HEURISTICS"}}
	for _, q := range b.Quality {
		rows = append(rows, []string{q.Family, percent(q.LPGap), percent(q.MCB8Gap), percent(q.Gap), ratio(q.Gap, q.MCB8Gap),
			strconv.Itoa(q.Worse), decimals(q.Milliseconds, 1), dash(q.Winners())})
	}
	table(w, rows)
}

func decimals(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

func percent(x float64) string { return decimals(100*x, 3) + "%" }

func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return decimals(a/b, 2)
}

// growth draws the time over the number of tasks, beside n·log n, for runs in which all tasks differ.
func growth(speeds []benchmark.Speed) string {
	var ours, law chart.Series
	ours.Name, law.Name, law.Reference = "MCB8's search", "n·log n", true
	for _, s := range speeds {
		if !s.Distinct {
			continue
		}
		n := float64(s.Tasks)
		ours.X, ours.Y = append(ours.X, n), append(ours.Y, s.Milliseconds)
		law.X, law.Y = append(law.X, n), append(law.Y, n*math.Log2(n)/(ours.X[0]*math.Log2(ours.X[0]))*ours.Y[0])
	}
	return chart.Lines{
		Title: "Time of a search for the yield",
		X:     chart.Axis{Title: "tasks", Log: true}, Y: chart.Axis{Title: "milliseconds", Log: true},
		Series: []chart.Series{ours, law},
	}.SVG()
}
