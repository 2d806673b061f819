package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"aliquot/packing"
	"aliquot/packing/instance"
	"aliquot/sim/chart"
)

const benchPackingHelp = `Measure how fast and how good packing is, on instances drawn by seed.

The first table is the time of MCB8's complete search for the yield at accuracy 0.01, the
fastest of a few runs, on one core unless --workers says otherwise, and what the tasks drawn
come to in all. The second compares heuristics at accuracy 0.001: the mean
gap to the bound of MCB8 and of the portfolio, what the gap of MCB8 would seem to be
against the linear relaxation alone, and which single heuristic is best how often.
Gaps are those of what the worst-off job gets. Times differ from machine to machine,
everything else is the same everywhere. Ctrl-C ends with the rows that are whole.`

// benchFlags are what the flags of bench packing say.
type benchFlags struct {
	seeds, nodes, workers int
	plot                  string
	speed                 bool
}

func (a *app) benchCommand() *cobra.Command {
	return group("bench", "Measure the algorithms on this machine", "Measure the algorithms on this machine. No manager is asked.",
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
	flags.IntVar(&f.nodes, "nodes", 1000, "leave out families of more nodes")
	flags.StringVar(&f.plot, "plot", "", "draw how the time grows with the number of tasks, as an SVG file")
	flags.IntVar(&f.workers, "workers", 1, "levels that MCB8 tries at the same time, at most 3 and the processors; the answer is the same")
	flags.BoolVar(&f.speed, "speed", false, "leave the comparison of heuristics out")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// packingBench is what was measured.
type packingBench struct {
	Speed   []packingSpeed   `json:"speed"`
	Quality []packingQuality `json:"quality"`
}

// packingSpeed is how long MCB8 takes on a family.
type packingSpeed struct {
	Family       string  `json:"family"`
	Tasks        int     `json:"tasks"`
	Memory       float64 `json:"memory"` // that all tasks require, as a fraction of the nodes'
	Need         float64 `json:"need"`   // likewise, of CPU
	Milliseconds float64 `json:"milliseconds"`
	Probes       int     `json:"probes"`
	Dropped      int     `json:"dropped"`
	Yield        float64 `json:"yield"`
	distinct     bool
}

func (a *app) benchPacking(ctx context.Context, f benchFlags) error {
	p := a.progress(10 * time.Second)
	defer p.end()
	if f.plot != "" { // who cannot write it learns that before the wait
		if err := writable(f.plot); err != nil {
			return usage{err}
		}
	}
	var b packingBench
	for _, family := range instance.Goals() {
		if family.Nodes > f.nodes {
			continue
		}
		p.show(func() string { return "timing " + family.String() })
		row := timeFamily(ctx, family, f.workers)
		if ctx.Err() != nil {
			break
		}
		b.Speed = append(b.Speed, row)
	}
	for _, family := range comparedFamilies() {
		if family.Nodes > f.nodes || f.speed {
			continue
		}
		row := compareFamily(ctx, family, f.seeds, p)
		if ctx.Err() != nil {
			break
		}
		b.Quality = append(b.Quality, row)
	}
	p.end()
	if err := a.shown(ctx, b, b.text); err != nil || f.plot == "" {
		return unwritten(err, f.plot)
	}
	return writeFile(f.plot, text(growth(b.Speed)))
}

// shown shows the rows there are, and says that they are not all if the user has said stop.
func (a *app) shown(ctx context.Context, rows any, text func(io.Writer)) error {
	if err := a.show(rows, text); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errStopped
	}
	return nil
}

// timeFamily takes the fastest of a few runs on the instance of seed 1, as others may use the machine too. What it says is void
// once the user has said stop.
func timeFamily(ctx context.Context, f instance.Family, workers int) packingSpeed {
	p, order := f.Draw(1)
	s := packingSpeed{Family: f.String(), Milliseconds: math.Inf(1), distinct: f.PerJob == 1 && !f.Discrete && f.Memory == 0.7}
	s.Need, s.Memory = instance.Sums(p)
	for i := range p.Items {
		s.Tasks += p.Items[i].Count
	}
	for runs := 0; runs < max(3, 200_000/s.Tasks) && ctx.Err() == nil; runs++ {
		begun := time.Now()
		r := packing.Options{Workers: min(workers, runtime.NumCPU())}.Search(p, order)
		s.Milliseconds = min(s.Milliseconds, float64(time.Since(begun).Nanoseconds())/1e6)
		s.Probes, s.Dropped, s.Yield = r.Probes, len(r.Dropped), r.Yield
	}
	return s
}

func (b packingBench) text(w io.Writer) {
	rows := [][]string{{"FAMILY", "TASKS", "MEMORY", "NEED", "MS", "PROBES", "DROPPED", "YIELD"}}
	for _, s := range b.Speed {
		rows = append(rows, []string{s.Family, strconv.Itoa(s.Tasks), decimals(100*s.Memory, 1) + "%", decimals(100*s.Need, 1) + "%", decimals(s.Milliseconds, 3), strconv.Itoa(s.Probes), strconv.Itoa(s.Dropped), decimals(s.Yield, 4)})
	}
	table(w, rows)
	if len(b.Quality) == 0 {
		return
	}
	fmt.Fprintln(w)
	rows = [][]string{{"FAMILY", "LP GAP", "MCB8'S GAP", "GAP", "RATIO", "WORSE", "MS", "BEST SINGLE HEURISTICS"}}
	for _, q := range b.Quality {
		rows = append(rows, []string{q.Family, percent(q.LPGap), percent(q.MCB8Gap), percent(q.Gap), ratio(q.Gap, q.MCB8Gap), strconv.Itoa(q.Worse), decimals(q.Milliseconds, 1), q.winners()})
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

// growth draws the time over the number of tasks where all of them differ, beside n·log n.
func growth(speeds []packingSpeed) string {
	var ours, law chart.Series
	ours.Name, law.Name, law.Reference = "MCB8's search", "n·log n", true
	for _, s := range speeds {
		if !s.distinct {
			continue
		}
		n := float64(s.Tasks)
		ours.X, ours.Y = append(ours.X, n), append(ours.Y, s.Milliseconds)
		law.X, law.Y = append(law.X, n), append(law.Y, n*math.Log2(n)/(ours.X[0]*math.Log2(ours.X[0]))*ours.Y[0])
	}
	return chart.Lines{
		Title: "Time of a search for the yield",
		X:     chart.Axis{Title: "tasks", Log: true}, Y: chart.Axis{Title: "milliseconds", Log: true}, Series: []chart.Series{ours, law},
	}.SVG()
}
