package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aliquot/internal/wording"
	"aliquot/sim/sweep"
)

// loss is a trial that failed, and why.
type loss struct {
	sweep.Trial
	error
}

// reasons lists in the order of the trials why some failed, each reason once for all policies under which a trace failed so.
func (c *crew) reasons(advise func(error) error) (reasons []string) {
	type cause struct{ trace, why string }
	policies := map[cause][]string{}
	var causes []cause
	inOrder := slices.SortedFunc(slices.Values(c.losses), func(a, b loss) int { return a.Compare(b.Trial) })
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

// some names the first three of some names.
func some(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// failed is the error that names the trials that failed; nil if none did.
func (c *crew) failed(advise func(error) error) error {
	if len(c.losses) == 0 {
		return nil
	}
	return errors.New(wording.Count(len(c.losses), "trial") + " failed, all others are kept:\n" + strings.Join(c.reasons(advise), "\n"))
}
