package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/internal/file"
	"aliquot/policy/hetero"
	"aliquot/sim/site"
	"aliquot/wording"
)

const experienceHelp = `Look at run times: those of the cluster's jobs that succeeded, which tell how long jobs like
them will take, and those in files for simulations of sites: how often jobs of each type have
run on each resource, alone (seq) or in parallel (par), and how long that took.

aliquot sim run --site DIR --experience FILE predicts times from such a file, and adds the
runs of the simulation to it. Impossible times are refused: none, or a year and more.`

func (a *app) experienceCommand() *cobra.Command {
	list := &cobra.Command{
		Use: "list [FILE]", Short: "Show how long jobs of each type took", Args: cobra.MaximumNArgs(1),
		Long: `Without FILE: show how many jobs of each owner, type and size succeeded on the cluster, and how
long half (median) and nine in ten (90 %) of the latest 20 took at most, at full speed. When
three have succeeded, policies that use estimates expect the latter of the next job, at most
its own estimate. Jobs name their type with --type; others are of one type if the name of the
image, command and input are equal. What nobody used for 90 days is forgotten.

With FILE: show the number of runs of each type on each resource, the mean of their times, and
the standard deviation. No manager is needed.`,
		Example: "  aliquot experience list\n  aliquot experience list -o csv\n  aliquot experience list runs.csv",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.act(a.showExperience)(c, args)
			}
			return a.local(a.listExperience)(c, args)
		},
	}
	return group("experience", "Look at run times of past jobs", experienceHelp, tabular(list),
		a.experienceExport(), a.experienceImport())
}

func (a *app) experienceExport() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use: "export FILE", Short: "Write the histories of a file as CSV", Args: takes("FILE"),
		Long: `Write the histories of a file as CSV, in order, with the header
type,kind,resource,count,sum,squares: the number of runs, the sum of their times in
milliseconds, and the sum of the squares of these.`,
		Example: "  aliquot experience export runs.csv > sorted.csv\n  aliquot experience export runs.csv --out copy.csv.gz",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if err := vacant(force, out); err != nil {
				return err
			}
			e, err := a.readExperience(c.Context(), args[0])
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { return site.WriteExperience(w, e) }
			if out == "" {
				return write(a.out)
			}
			return file.Write(out, write)
		}),
	}
	c.Flags().StringVar(&out, "out", "", "write to this file, gzip if its name ends in .gz; left out: standard output")
	c.Flags().BoolVar(&force, "force", false, "replace the file of --out if it exists")
	return c
}

func (a *app) experienceImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE OTHER...", Short: "Add the histories of other files to a file", Args: takes("FILE", "OTHER..."),
		Long: `Add the histories of other files to FILE, which is made if it does not exist. Other files
were exported, or have the header type,kind,resource,ticks like exec.csv of a site: each line
of these counts as one run. If one line is wrong, FILE stays as it was.`,
		Example: "  aliquot experience import runs.csv campus/exec.csv\n  aliquot experience import runs.csv monday.csv tuesday.csv",
		RunE:    a.local(func(c *cobra.Command, args []string) error { return a.importExperience(c.Context(), args) }),
	}
}

// importExperience adds files to the first one.
func (a *app) importExperience(ctx context.Context, paths []string) error {
	if err := writable(paths[0]); err != nil {
		return err
	}
	e, err := a.readExperience(ctx, paths[0])
	if errors.Is(err, fs.ErrNotExist) {
		e, err = &hetero.Experience{}, nil
	}
	for _, path := range paths[1:] {
		if err == nil {
			err = a.addExperience(ctx, path, e)
		}
	}
	if err != nil {
		return err
	}
	return file.Write(paths[0], func(w io.Writer) error { return site.WriteExperience(w, e) })
}

// readExperience reads a file of experience.
func (a *app) readExperience(ctx context.Context, path string) (*hetero.Experience, error) {
	e := &hetero.Experience{}
	return e, a.addExperience(ctx, path, e)
}

// addExperience adds the histories of a file.
func (a *app) addExperience(ctx context.Context, path string, e *hetero.Experience) error {
	in, err := a.input(ctx, path)
	if err != nil {
		return usage{fmt.Errorf("open the experience: %w", err)}
	}
	defer in.Close()
	if err := site.ReadExperience(in, path, e); err != nil {
		return usage{err}
	}
	return nil
}

// pastRuns is the history of a pair, for people.
type pastRuns struct {
	Type      string  `json:"type"`
	Kind      string  `json:"kind"`
	Resource  string  `json:"resource"`
	Runs      int64   `json:"runs"`
	Mean      float64 `json:"mean_seconds"`
	Deviation float64 `json:"deviation_seconds"`
}

// showExperience shows the run times that the cluster remembers.
func (a *app) showExperience(ctx context.Context, c *client.Client, _ []string) error {
	list, err := c.Experience(ctx)
	if err != nil {
		return err
	}
	return a.show(list, func(w io.Writer) {
		if len(list.Experience) == 0 {
			fmt.Fprintln(w, "No job has succeeded yet: run times are remembered when jobs succeed.")
			return
		}
		rows := [][]string{{"OWNER", "TYPE", "TASKS", "CPU", "SUCCEEDED", "MEDIAN", "90 %", "LAST"}}
		for _, e := range list.Experience {
			rows = append(rows, []string{e.Owner, e.Type, strconv.Itoa(e.Tasks), cluster.CPU(e.NeedMillicores).String(),
				strconv.Itoa(e.Similar.Succeeded), wording.Span(e.Similar.MedianSeconds), wording.Span(e.Similar.MostSeconds),
				when(e.Last)})
		}
		table(w, rows)
	})
}

// listExperience shows the run times in a file.
func (a *app) listExperience(c *cobra.Command, args []string) error {
	e, err := a.readExperience(c.Context(), args[0])
	if err != nil {
		return err
	}
	all := []pastRuns{}
	for _, p := range e.Pairs() {
		c, _ := e.Of(p)
		all = append(all, pastRuns{p.Type, p.Kind(), p.Resource, c.Count, float64(c.Mean()) / 1000, c.Deviation() / 1000})
	}
	return a.show(all, func(w io.Writer) {
		rows := [][]string{{"TYPE", "KIND", "RESOURCE", "RUNS", "MEAN", "DEVIATION"}}
		for _, r := range all {
			rows = append(rows, []string{r.Type, r.Kind, r.Resource, strconv.FormatInt(r.Runs, 10),
				fmt.Sprintf("%.3f s", r.Mean), fmt.Sprintf("%.3f s", r.Deviation)})
		}
		table(w, rows)
	})
}
