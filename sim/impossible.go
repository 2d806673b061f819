package sim

import (
	"fmt"
	"strings"

	"aliquot/cluster"
	"aliquot/workload"
)

// Impossible is what becomes of jobs that can never run, because a task is larger than any
// node or because the policy refuses them.
type Impossible uint8

// What becomes of them.
const (
	Refuse Impossible = iota // the run fails and names them
	Skip                     // they are left out, and listed
)

// refuse names the jobs that could never run, unless they are to be skipped.
func (m *simulation) refuse() error {
	if m.Impossible == Skip {
		return nil
	}
	var named []string
	count := 0
	for i := range m.jobs {
		if r := m.view.Impossible(m.spec(&m.jobs[i])); r != nil {
			if count++; count <= 5 {
				named = append(named, fmt.Sprintf("job %d: %s", m.jobs[i].ID, r.Detail))
			}
		}
	}
	switch {
	case count == 0:
		return nil
	case count > len(named):
		named = append(named, fmt.Sprintf("and %d more", count-len(named)))
	}
	return fmt.Errorf("%d of %d jobs could never run (%s): skip them, or take more or larger nodes", count, len(m.jobs), strings.Join(named, "; "))
}

func (m *simulation) skip(id cluster.JobID, j *workload.Job, why string) {
	m.result.Skipped = append(m.result.Skipped, Skipped{*j, why})
	m.tell("%v is skipped: %s", id, why)
}
