package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/policy/hetero"
	"aliquot/sim/site"
	"aliquot/wording"
)

const simSiteHelp = `

With --site DIR the stream runs on the unlike machines of a site, under OLB, SJS, PJS, or
priced, which is ours. DIR has machines.csv (machine,mclass,cluster,up), clusters.csv
(cluster,cclass,min_members) and exec.csv (type,kind,resource,ticks): the time of each type of
job, alone (seq) on a machine or class of machines, or in parallel (par) on a cluster or class
of clusters; where no line says so it may not run. TRACE has the header
id,submit,type,priority, with priority H, M or L. Times are whole milliseconds. Decisions but
those of OLB are made at multiples of --period. Unless given, --policy is PJS and --period 10s.
After the names of policies, /priority gives each level a queue of its own, and /preempt lets
high jobs take the machines of low ones. --jobs adds the columns kind, resource and bumps. With
--experience FILE, the times of completed runs in that file predict those to come, and runs are
added.`

// siteDefaults replace other defaults with --site.
const (
	siteQuantum = 10 * time.Second // the paper's
	sitePolicy  = "PJS"
)

// foreign are the flags that mean nothing on a site.
var foreign = []string{"nodes", "penalty", "cost", "estimates", "uses", "events"}

// siteReport is the result of a simulation on a site.
type siteReport struct {
	Policy string `json:"policy"`
	site.Summary
	Checked     bool     `json:"checked"`
	WallSeconds *float64 `json:"wall_seconds,omitempty"`
}

// onSite checks and changes the flags of a simulation on a site.
func (s *simRun) onSite(c *cobra.Command) error {
	for _, name := range foreign {
		if c.Flags().Changed(name) {
			return usagef("--%s means nothing with --site, whose files describe the machines and times", name)
		}
	}
	if !c.Flags().Changed("period") {
		s.period = siteQuantum
	}
	if !c.Flags().Changed("policy") {
		s.policies = []string{sitePolicy}
	}
	switch {
	case s.period < time.Millisecond || s.period%time.Millisecond != 0:
		return usagef("--period must be a number of whole milliseconds")
	case s.rows != "" && len(s.policies) > 1:
		return usagef("--jobs takes one policy: simulate the %d policies one after the other", len(s.policies))
	case s.experience != "" && len(s.policies) > 1:
		return usagef("--experience takes one policy: simulate the %d policies one after the other", len(s.policies))
	case s.Impossible != "refuse" && s.Impossible != "skip":
		return usagef("--impossible is %q, must be refuse or skip", s.Impossible)
	}
	return nil
}

// simulateSite runs the stream on a site under each policy and prints the results.
func (a *app) simulateSite(ctx context.Context, s simRun, path string) error {
	var policies []hetero.Policy
	for _, name := range s.policies {
		p, err := hetero.Parse(name)
		if err != nil {
			return usage{err}
		}
		policies = append(policies, p)
	}
	if err := errors.Join(writable(s.experience), vacant(s.force, s.rows)); err != nil {
		return err
	}
	where, jobs, err := a.readSite(ctx, s.site, path)
	if err != nil {
		return err
	}
	var reports []siteReport
	for _, p := range policies {
		r, err := a.simulateSiteOne(ctx, s, where, p, jobs)
		if err != nil {
			return fmt.Errorf("simulate %s: %w", path, err)
		}
		reports = append(reports, r)
	}
	if len(reports) == 1 {
		return a.show(reports[0], func(w io.Writer) { siteTable(w, reports) })
	}
	return a.show(reports, func(w io.Writer) { siteTable(w, reports) })
}

// readSite reads a site and a stream for it.
func (a *app) readSite(ctx context.Context, folder, path string) (*site.Site, []site.Job, error) {
	where, err := stop.Unless(ctx, func() (*site.Site, error) { return site.Read(os.DirFS(folder)) })
	if err != nil {
		return nil, nil, usage{err}
	}
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, nil, usage{fmt.Errorf("open the trace: %w", err)}
	}
	defer in.Close()
	jobs, err := where.ReadJobs(in, path)
	if err != nil {
		return nil, nil, usage{err}
	}
	return where, jobs, nil
}

func (a *app) simulateSiteOne(ctx context.Context, s simRun, where *site.Site, p hetero.Policy,
	jobs []site.Job) (siteReport, error) {
	begin := time.Now()
	var elsewhere time.Duration
	if s.progress {
		elsewhere = 5 * time.Second
	}
	watch := a.progress(elsewhere)
	setup := site.Setup{Site: where, Policy: p, Period: hetero.Ticks(s.period.Milliseconds()),
		Skip: s.Impossible == "skip",
		Watch: func(ended int) error {
			watch.Show(func() string { return fmt.Sprintf("%d of %d jobs have ended; %v", ended, len(jobs), p) })
			if ctx.Err() != nil {
				return stop.Err
			}
			return nil
		}}
	if s.experience != "" {
		var err error
		if setup.Experience, err = a.readExperience(ctx, s.experience); err != nil {
			return siteReport{}, err
		}
	}
	fates, err := site.Run(setup, jobs)
	watch.End()
	if err != nil {
		return siteReport{}, err
	}
	if s.verify {
		if err := where.Check(fates); err != nil {
			return siteReport{}, fmt.Errorf("the schedule violates its constraints:\n%w", err)
		}
	}
	r := siteReport{Policy: p.String(), Summary: site.Summarize(fates), Checked: s.verify}
	if wall := time.Since(begin).Seconds(); !s.noTiming {
		r.WallSeconds = &wall
	}
	return r, s.keep(where, fates, setup.Experience)
}

// keep writes the files of a simulation on a site.
func (s simRun) keep(where *site.Site, fates []site.Fate, e *hetero.Experience) error {
	if s.rows != "" {
		if err := file.Write(s.rows, func(w io.Writer) error { return where.WriteRows(w, fates) }); err != nil {
			return err
		}
	}
	if e == nil {
		return nil
	}
	return file.Write(s.experience, func(w io.Writer) error { return site.WriteExperience(w, e) })
}

// siteTable prints a column for each policy.
func siteTable(w io.Writer, reports []siteReport) {
	rows := [][]string{{"MEASURE"}}
	add := func(name string, value func(siteReport) string) {
		row := []string{name}
		for _, r := range reports {
			row = append(row, value(r))
		}
		rows = append(rows, row)
	}
	for _, r := range reports {
		rows[0] = append(rows[0], r.Policy)
	}
	count := func(name string, value func(site.Summary) int) {
		add(name, func(r siteReport) string { return strconv.Itoa(value(r.Summary)) })
	}
	number := func(name string, value func(site.Summary) float64) {
		add(name, func(r siteReport) string { return wording.Number(value(r.Summary)) })
	}
	count("jobs", func(s site.Summary) int { return s.Jobs })
	count("skipped", func(s site.Summary) int { return s.Skipped })
	number("sum_job_seconds", func(s site.Summary) float64 { return s.Sum })
	number("avg_job_seconds", func(s site.Summary) float64 { return s.Mean })
	number("max_job_seconds", func(s site.Summary) float64 { return s.Max })
	number("makespan_seconds", func(s site.Summary) float64 { return s.Makespan })
	number("parallel_share", func(s site.Summary) float64 { return s.Parallel })
	count("preemptions", func(s site.Summary) int { return s.Preemptions })
	count("bumps", func(s site.Summary) int { return s.Bumps })
	for _, level := range hetero.Levels {
		l := level.String()
		if !strings.Contains(levelsOf(reports), l) {
			continue
		}
		number(l+" avg_job_seconds", func(s site.Summary) float64 { return s.Levels[l].Mean })
		number(l+" parallel_share", func(s site.Summary) float64 { return s.Levels[l].Parallel })
	}
	table(w, rows)
}

// levelsOf returns the letters of the levels that have jobs.
func levelsOf(reports []siteReport) (letters string) {
	for _, r := range reports {
		for l := range r.Levels {
			letters += l
		}
	}
	return letters
}
