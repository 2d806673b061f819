package sim

import (
	"fmt"

	"aliquot/cluster"
)

// Terms are the choices of a simulation besides nodes, policy and penalty, as words. An empty word is the report's
// choice: a constant cost, perfect estimates, refusal of a stream with a job that can never run, the same use of CPU
// for all tasks of a job.
type Terms struct {
	Cost       string `json:"cost,omitempty"`       // as ParseCost parses it
	Estimates  string `json:"estimates,omitempty"`  // perfect or trace
	Impossible string `json:"impossible,omitempty"` // refuse or skip
	Uses       string `json:"uses,omitempty"`       // job or process
}

// Canonical replaces each word that equals the default by an empty word.
func (t Terms) Canonical() Terms {
	for word, usual := range map[*string]string{&t.Cost: "constant", &t.Estimates: "perfect", &t.Impossible: "refuse",
		&t.Uses: "job"} {
		if *word == usual {
			*word = ""
		}
	}
	return t
}

// Setup returns a setup on these terms. The penalty applies if the cost is constant. The error names the invalid word.
func (t Terms) Setup(penalty cluster.Time) (s Setup, err error) {
	t = t.Canonical()
	estimates, known := map[string]Estimates{"": Perfect, "trace": Traced}[t.Estimates]
	if !known {
		return s, fmt.Errorf("there are no estimates %q: use perfect or trace", t.Estimates)
	}
	impossible, err := ParseImpossible(t.Impossible)
	if err != nil {
		return s, err
	}
	uses, err := parseUses(t.Uses)
	if err != nil {
		return s, err
	}
	s = Setup{Uses: uses, Penalty: penalty, Cost: Constant(penalty), Estimates: estimates, Impossible: impossible}
	if t.Cost != "" {
		s.Cost, err = ParseCost(t.Cost, penalty)
	}
	return s, err
}
