package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/chart"
	"aliquot/workload/prepare"
	"aliquot/workload/stream"
)

const workloadStatHelp = `Summarise streams: the number of jobs, their sizes, run times and memory, and the load that
they offer. Several streams are compared in a row each. With --plots, pictures of arrivals
over time and by hour of the day, sizes, run times and memory are drawn for each.`

// described is the summary of a stream.
type described struct {
	Stream string `json:"stream"`
	workload.Description
	Log   *prepare.Tally `json:"log,omitempty"`
	Plots []string       `json:"plots,omitempty"`
}

func (a *app) workloadStatCommand() *cobra.Command {
	var rules logRules
	var nodes int
	var plots plotFlags
	c := &cobra.Command{
		Use: "stat STREAM...", Short: "Summarise and draw streams", Long: workloadStatHelp, Args: takes("STREAM..."),
		Example: "  aliquot workload stat --nodes 128 trace.csv\n  aliquot workload stat --rules hpc2n --nodes 120 --plots pictures/ HPC2N.swf.gz\n  aliquot workload stat --nodes 120 weeks/*.csv",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if nodes < 1 {
				return usagef("--nodes must be at least 1")
			}
			if plots.format != "svg" && plots.format != "png" {
				return usagef("--plot-format must be svg or png, not %q", plots.format)
			}
			var all []described
			for _, path := range args {
				d, err := a.describe(c.Context(), path, &rules, nodes, plots)
				if err != nil {
					return err
				}
				all = append(all, d)
			}
			if len(all) == 1 {
				return a.show(all[0], all[0].page)
			}
			return a.show(all, func(w io.Writer) { compareStreams(w, all) })
		}),
	}
	rules.flags(c.Flags())
	c.Flags().IntVar(&nodes, "nodes", 128, "nodes that the load is for")
	c.Flags().StringVar(&plots.folder, "plots", "", "folder for pictures")
	c.Flags().StringVar(&plots.format, "plot-format", "svg", "svg or png")
	c.Flags().BoolVar(&plots.force, "force", false, "replace existing pictures")
	return c
}

func (a *app) describe(ctx context.Context, path string, rules *logRules, nodes int, plots plotFlags) (described,
	error) {
	s, err := a.readStream(ctx, path, rules)
	if err != nil {
		return described{}, err
	}
	a.explain(s)
	drawn, err := plots.draw(ctx, s)
	return described{stream.Stem(path), workload.Describe(s.Jobs, nodes), s.Tally, drawn}, err
}

// plotFlags are the flags for pictures.
type plotFlags struct {
	folder, format string
	force          bool
}

// draw draws a stream, if requested, and returns the files.
func (p plotFlags) draw(ctx context.Context, s *stream.Stream) (paths []string, err error) {
	if p.folder == "" || len(s.Jobs) == 0 {
		return nil, nil
	}
	charts, err := chart.All(stream.Stem(s.Path), s.Jobs)
	if err != nil {
		return nil, err
	}
	for _, c := range charts {
		paths = append(paths, filepath.Join(p.folder, stream.Stem(s.Path)+"-"+c.Name+"."+p.format))
	}
	if err := vacant(p.force, paths...); err != nil {
		return nil, err
	}
	for i, c := range charts {
		if err := file.Write(paths[i], func(w io.Writer) error {
			return c.Write(stop.Writer{Context: ctx, To: w}, p.format)
		}); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// load formats the load; a dash if it is infinite.
func (d described) load() string {
	if d.Load == nil {
		return dash("")
	}
	return wording.Number(*d.Load)
}

func (d described) page(w io.Writer) {
	rows := [][]string{
		{"MEASURE", "VALUE"},
		{"jobs", strconv.Itoa(d.Jobs)},
		{"tasks", strconv.Itoa(d.Tasks)},
		{"users", strconv.Itoa(d.Users)},
		{"days", wording.Number(d.Days)},
		{"node_hours", wording.Number(d.NodeHours)},
		{"cpu_hours", wording.Number(d.CPUHours)},
		{"load (" + wording.Count(d.Nodes, "node") + ")", d.load()},
		{"serial_share", wording.Number(d.Serial)},
		{"power_of_2_share", wording.Number(d.PowerOf2)},
		{"estimated_share", wording.Number(d.Estimated)},
	}
	if d.Log != nil {
		rows = append(rows, []string{"log_records", strconv.Itoa(d.Log.Records)})
	}
	table(w, rows)
	fmt.Fprintln(w)
	rows = [][]string{{"QUANTITY", "MIN", "10%", "MEDIAN", "MEAN", "90%", "MAX"}}
	for _, q := range []struct {
		name string
		of   workload.Spread
	}{
		{"gap_seconds", d.Gap}, {"tasks_per_job", d.Size}, {"cpu_per_task", d.Need},
		{"mem_per_task", d.Memory}, {"runtime_seconds", d.Runtime},
	} {
		rows = append(rows, []string{q.name, wording.Number(q.of.Min), wording.Number(q.of.P10), wording.Number(q.of.Median),
			wording.Number(q.of.Mean), wording.Number(q.of.P90), wording.Number(q.of.Max)})
	}
	table(w, rows)
	for _, path := range d.Plots {
		fmt.Fprintln(w, "drawn:", path)
	}
}

func compareStreams(w io.Writer, all []described) {
	rows := [][]string{{"STREAM", "JOBS", "DAYS", "LOAD", "TASKS", "RUNTIME", "MEM"}}
	for _, d := range all {
		rows = append(rows, []string{d.Stream, strconv.Itoa(d.Jobs), wording.Number(d.Days), d.load(),
			wording.Number(d.Size.Mean), wording.Span(d.Runtime.Median), wording.Number(d.Memory.Mean)})
	}
	table(w, rows)
	fmt.Fprintln(w, "\nTASKS and MEM are means, RUNTIME is the median.")
}
