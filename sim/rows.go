package sim

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"aliquot/cluster"
	"aliquot/workload"
)

// rowHeader names the columns of WriteRows. A family of policies may add columns at the end.
var rowHeader = []string{"id", "submit", "start", "end", "outcome", "tier", "kills", "migrations", "preemptions",
	"foreground", "swaps"}

// WriteRows writes a row of CSV with the result of each job, in the stream's order. Times are in seconds since the
// stream's start. The field is empty for an event that never happened.
func (r Result) WriteRows(w io.Writer, jobs []workload.Job) error {
	rows := make(map[int64][]string, len(jobs))
	for _, o := range r.Jobs {
		rows[o.ID] = o.row(outcomeOf(o.Late(), "ended"))
	}
	for _, s := range r.Stopped {
		rows[s.ID] = s.row(outcomeOf(s.Missed(), s.Why.String()))
	}
	for _, s := range r.Skipped {
		outcome := "skipped"
		if s.Refused {
			outcome = "refused"
		}
		rows[s.ID] = Outcome{Job: s.Job, Started: never, Ended: never, Foreground: never}.row(outcome)
	}
	out := csv.NewWriter(w)
	err := out.Write(rowHeader)
	for i := 0; i < len(jobs) && err == nil; i++ {
		err = out.Write(rows[jobs[i].ID])
	}
	if out.Flush(); err == nil {
		err = out.Error()
	}
	return err
}

// outcomeOf returns missed if the job missed its deadline, otherwise the usual word.
func outcomeOf(missed bool, usual string) string {
	if missed {
		return "missed"
	}
	return usual
}

// row returns the result of the job.
func (o Outcome) row(outcome string) []string {
	return []string{
		strconv.FormatInt(o.ID, 10), seconds(o.Submit), seconds(o.Started), seconds(o.Ended), outcome, o.Tier.String(),
		strconv.Itoa(o.Kills), strconv.Itoa(o.Migrations), strconv.Itoa(o.Preemptions),
		seconds(o.Foreground), strconv.Itoa(o.Swaps),
	}
}

// seconds formats a time exactly; never is empty.
func seconds(t cluster.Time) string {
	if t == never {
		return ""
	}
	return fmt.Sprintf("%d.%06d", t/cluster.Second, t%cluster.Second)
}
