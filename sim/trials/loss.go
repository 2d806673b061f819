package trials

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aliquot/sim/sweep"
	"aliquot/wording"
)

// loss is a failed trial and its error.
type loss struct {
	sweep.Trial
	error
}

// Reasons lists why trials failed, in the order of the trials. A reason that a trace has under several policies is
// listed once. advise may add advice to an error.
func (p *Pool) Reasons(advise func(error) error) (reasons []string) {
	type cause struct{ trace, why string }
	policies := map[cause][]string{}
	var causes []cause
	inOrder := slices.SortedFunc(slices.Values(p.losses), func(a, b loss) int { return a.Compare(b.Trial) })
	for _, l := range inOrder {
		x := cause{l.Trace, advise(l.error).Error()}
		if policies[x] == nil {
			causes = append(causes, x)
		}
		policies[x] = append(policies[x], l.Policy)
	}
	for _, x := range causes {
		reasons = append(reasons, fmt.Sprintf("%s under %s: %s", x.trace, some(policies[x]), x.why))
	}
	return reasons
}

// some lists the first three names and counts the others.
func some(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Failures returns an error that names the failed trials and their reasons, or nil if none failed.
func (p *Pool) Failures(advise func(error) error) error {
	if len(p.losses) == 0 {
		return nil
	}
	return errors.New(wording.Count(len(p.losses), "trial") + " failed, all others are kept:\n" +
		strings.Join(p.Reasons(advise), "\n"))
}
