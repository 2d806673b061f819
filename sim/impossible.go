package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/wording"
	"aliquot/workload"
)

// Impossible is the treatment of jobs that can never run, because a task is larger than any node or because the policy
// refuses them.
type Impossible uint8

// The ways of treating impossible jobs.
const (
	Refuse Impossible = iota // the run fails and names them
	Skip                     // they are left out and listed
)

// ParseImpossible parses "refuse", "skip", or nothing, which means "refuse".
func ParseImpossible(word string) (Impossible, error) {
	switch word {
	case "", "refuse":
		return Refuse, nil
	case "skip":
		return Skip, nil
	}
	return Refuse, fmt.Errorf("impossible jobs cannot be treated by %q: use refuse or skip", word)
}

// Possible separates the jobs that could never run on these nodes under any policy, each with a reason. If there are
// some and they are to be refused, the error is Refused.
func (i Impossible) Possible(nodes []Node, jobs []workload.Job) (possible []workload.Job, skipped []Skipped,
	err error) {
	m := newSimulation(Setup{Nodes: nodes, Impossible: i}, jobs)
	skipped = m.impossible()
	if len(skipped) == 0 {
		return jobs, nil, nil
	}
	never := map[int64]bool{}
	for _, s := range skipped {
		never[s.ID] = true
	}
	possible = slices.DeleteFunc(slices.Clone(jobs), func(j workload.Job) bool { return never[j.ID] })
	return possible, skipped, m.refusal(skipped)
}

// impossible lists the jobs that could never run on the nodes.
func (m *simulation) impossible() (never []Skipped) {
	for i := range m.jobs {
		if r := m.model.Impossible(m.spec(&m.jobs[i])); r != nil {
			never = append(never, Skipped{Job: m.jobs[i], Why: m.why(&m.jobs[i], r)})
		}
	}
	return never
}

// Refused is the error for a stream with jobs that could never run.
type Refused struct {
	Jobs []Skipped
	Of   int // number of all jobs of the stream
}

// Error names the first of these jobs with their reasons.
func (r Refused) Error() string {
	const most = 5
	var named []string
	for _, s := range r.Jobs[:min(most, len(r.Jobs))] {
		named = append(named, fmt.Sprintf("job %d: %s", s.ID, s.Why))
	}
	if more := len(r.Jobs) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%d of %d jobs could never run (%s)", len(r.Jobs), r.Of, strings.Join(named, "; "))
}

// refusal returns the error for jobs that can never run. It is nil if there are none or if they are to be skipped.
func (m *simulation) refusal(never []Skipped) error {
	never = slices.DeleteFunc(slices.Clone(never), func(s Skipped) bool { return s.Declined })
	if m.Impossible == Skip || len(never) == 0 {
		return nil
	}
	return Refused{never, len(m.jobs)}
}

// why explains, in fractions of a node like the stream, why no nodes could run the job.
func (m *simulation) why(j *workload.Job, r *cluster.Rejection) string {
	var largest Node
	tasks := 0
	for _, n := range m.Nodes {
		largest.CPU, largest.Memory = max(largest.CPU, n.CPU), max(largest.Memory, n.Memory)
		tasks += int(n.Memory / j.Memory)
	}
	switch r.Code {
	case cluster.CodeNeedsMoreCPU:
		return fmt.Sprintf("a task needs the CPU of %s nodes, the largest has that of %s", fraction(j.Need, workload.UnitCPU),
			fraction(largest.CPU, workload.UnitCPU))
	case cluster.CodeNeedsMoreMem:
		return fmt.Sprintf("a task takes the memory of %s nodes, the largest has that of %s",
			fraction(j.Memory, workload.UnitMemory), fraction(largest.Memory, workload.UnitMemory))
	case cluster.CodeTooManyTasks:
		return fmt.Sprintf("at most %d tasks with %s of a node's memory fit into the nodes together, not %d", tasks,
			fraction(j.Memory, workload.UnitMemory), j.Tasks)
	}
	return r.Detail
}

// unwilling returns the reason for the policy's refusal of a job.
func unwilling(r cluster.Reason) string {
	if r.Code == cluster.WhyNoEstimate { // the usual sentence advises to submit the job again
		return "has no estimate of its run time, without which backfilling cannot place it"
	}
	return wording.Reason(r, wording.Names{})
}

func fraction[T ~int | ~int64](amount, unit T) string {
	return strconv.FormatFloat(float64(amount)/float64(unit), 'g', 6, 64)
}

func (m *simulation) skip(id cluster.JobID, s Skipped) {
	m.result.Skipped = append(m.result.Skipped, s)
	m.tell(id, Event{Kind: Skips, Never: s.Why})
}
