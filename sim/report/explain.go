package report

import (
	"fmt"
	"math"
	"strings"

	"aliquot/sim/sweep"
	"aliquot/sim/timeline"
	"aliquot/wording"
)

// Explain returns a few sentences, with numbers, about the cause of a result's value of a measure.
func Explain(m sweep.Measure, r sweep.Result) string {
	switch {
	case r.Jobs == 0:
		return "no jobs"
	case m.About == sweep.Use:
		return explainUse(r) + " " + explainMoves(r)
	case m.About == sweep.Rescheduling:
		return explainMoves(r) + demand(r)
	}
	return explainWorst(r)
}

// explainWorst names the job with the maximum stretch, where its time went, and the cause of the
// bound.
func explainWorst(r sweep.Result) string {
	w := r.Worst
	var b strings.Builder
	b.WriteString(Tell(w.Fate))
	fmt.Fprintf(&b, " When it came, %s waited and the jobs in the system needed %s clusters.",
		wording.Count(w.Waiting, "other job"), wording.Number(w.Load))
	switch {
	case r.Bound == 0:
	case r.Critical == 0:
		b.WriteString(" The bound is 1: with foresight and without limits of memory no job need have waited.")
	default:
		fmt.Fprintf(&b, " The bound, %s, comes from %s that between %s and %s would need the whole cluster for %s.",
			wording.Number(r.Bound), wording.Count(r.Critical, "job"), wording.Clock(r.From), wording.Clock(r.To),
			wording.Span(r.Busy))
	}
	return b.String()
}

// explainUse describes the use of the CPU that the jobs needed.
func explainUse(r sweep.Result) string {
	unused := r.NormalizedUnderutilization
	return fmt.Sprintf("Of the CPU that the jobs in the system could have used %s went unused, %s of their work: "+
		"%s was held by jobs that paid for having been rescheduled, %s by no job that could use it.%s",
		percent(unused/(1+unused)), percent(unused), percent(r.PenaltyUnderutilization),
		percent(max(0, unused-r.PenaltyUnderutilization)), demand(r))
}

// demand describes the average demand.
func demand(r sweep.Result) string {
	return fmt.Sprintf(" On average the jobs in the system could have used %s of the cluster and used %s.",
		percent(r.Demand), percent(r.Utilization))
}

// explainMoves describes how often jobs were rescheduled.
func explainMoves(r sweep.Result) string {
	if r.PreemptionsPerJob+r.MigrationsPerJob == 0 {
		return fmt.Sprintf("None of the %s was rescheduled.", wording.Count(r.Jobs, "job"))
	}
	all := func(perJob float64) int { return int(math.Round(perJob * float64(r.Jobs))) }
	return fmt.Sprintf(
		"%d preemptions and %d migrations of %s, %s and %s of each; the one with the greatest stretch, job %d, had %d and %d.",
		all(r.PreemptionsPerJob), all(r.MigrationsPerJob), wording.Count(r.Jobs, "job"), wording.Number(r.PreemptionsPerJob),
		wording.Number(r.MigrationsPerJob),
		r.Worst.Job, r.Worst.Preemptions, r.Worst.Migrations)
}

// Tell describes a job, its outcome and where its time went.
func Tell(f timeline.Fate) string {
	return fmt.Sprintf("Job %d (%s of %s CPU and %s memory, %s alone) came at %s and took %s, a stretch of %s: %s.",
		f.Job, wording.Count(f.Tasks, "task"), percent(f.Need), percent(f.Memory), wording.Span(f.Runtime),
		wording.Clock(f.Submit), wording.Span(f.End-f.Submit), wording.Number(f.Stretch),
		strings.Join(whereTimeWent(f), ", "))
}

// whereTimeWent lists the causes of the job's delay, in the order of its life.
func whereTimeWent(f timeline.Fate) (parts []string) {
	for _, p := range []struct {
		seconds float64
		what    string
	}{
		{f.Start - f.Submit, "waiting for its start"},
		{f.Paused, fmt.Sprintf("paused (%s)", times(f.Preemptions))},
		{f.Paying, fmt.Sprintf("standing still for penalties (%s)", wording.Count(f.Preemptions+f.Migrations, "move"))},
		{f.Slowed(), "lost to shares below its need"},
	} {
		if p.seconds >= 0.5 {
			parts = append(parts, wording.Span(p.seconds)+" "+p.what)
		}
	}
	if parts == nil {
		return []string{"nothing kept it"}
	}
	return parts
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func percent(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*x), ".0") + "%" }
