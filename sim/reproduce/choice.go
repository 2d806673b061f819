package reproduce

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Choose parses names of parts of a paper, in any case, and returns those parts in the order of all. Without names it
// returns all.
func Choose[P ~string](names []string, all []P) ([]P, error) {
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[P]bool{}
	for _, name := range names {
		part := P(strings.ToLower(strings.TrimSpace(name)))
		if !slices.Contains(all, part) {
			return nil, fmt.Errorf("there is no part %q: there are %s", name, strings.Trim(fmt.Sprint(all), "[]"))
		}
		wanted[part] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(p P) bool { return !wanted[p] }), nil
}

// WriteChecks writes claims of a paper with our results, as CSV.
func WriteChecks(w io.Writer, checks []Check) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"claim", "measured", "verdict"}) // Flush keeps the error
	for _, c := range checks {
		_ = out.Write([]string{c.What, c.Measured, c.Verdict()})
	}
	out.Flush()
	return out.Error()
}
