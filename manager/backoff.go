package manager

import (
	"fmt"

	"aliquot/cluster"
)

// loudBackoff is the shortest back-off that is reported to operators. Commands that interleave cause shorter ones.
const loudBackoff = cluster.Second

// noteOutcome records the outcome of the loop's proposal, and logs if a decision keeps failing to be adopted.
func (m *Manager) noteOutcome(action cluster.Action, refused bool) {
	m.backoff.Note(action, refused, m.Latest().View())
	jobs, wait := m.backoff.Undecided()
	m.waits.Store(int64(wait))
	if _, decided := action.(cluster.Adopt); decided && wait >= loudBackoff {
		m.log.Warn().Stringers("jobs", stringers(jobs[:min(len(jobs), maxNamed)])).Int("undecided",
			len(jobs)).Msg(backedOff(wait))
	}
}

// maxNamed is the most jobs that a log line names.
const maxNamed = 10

func stringers(jobs []cluster.JobID) []fmt.Stringer {
	list := make([]fmt.Stringer, len(jobs))
	for i, id := range jobs {
		list[i] = id
	}
	return list
}

// backedOff describes a back-off of the given length; "" if it is too short to matter.
func backedOff(wait cluster.Time) string {
	if wait < loudBackoff {
		return ""
	}
	return fmt.Sprintf(
		"decisions cannot be adopted in full: the policy decides again in %.0f s, or when something changes; "+
			"if this goes on, choose another policy by: aliquot policy set NAME", wait.Seconds())
}
