package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/backfill"
	"aliquot/policy/dfrs"
)

// constructor makes the policy of a row from the parameters of its name.
type constructor func(row string, parameters []string, period cluster.Time) (policy.Policy, error)

var rows = map[string]constructor{
	"FCFS":           from(backfill.New),
	"Greedy *":       from(dfrs.New),
	"GreedyP *":      from(dfrs.New),
	"GreedyPM *":     from(dfrs.New),
	"Greedy/per":     from(dfrs.New),
	"GreedyP/per":    from(dfrs.New),
	"GreedyPM/per":   from(dfrs.New),
	"Greedy */per":   from(dfrs.New),
	"GreedyP */per":  from(dfrs.New),
	"GreedyPM */per": from(dfrs.New),
	"MCB8 *":         from(dfrs.New),
	"MCB8/per":       from(dfrs.New),
	"MCB8 */per":     from(dfrs.New),
	"/per":           from(dfrs.New),
}

func from[P policy.Policy](construct func(string, []string, cluster.Time) (P, error)) constructor {
	return func(row string, parameters []string, period cluster.Time) (policy.Policy, error) {
		return construct(row, parameters, period)
	}
}

// Parse returns the policy of that published name, with the given period of its tick if it
// has one. The error for an unknown name names the one that comes closest.
func Parse(name string, period cluster.Time) (policy.Policy, error) {
	row, parameters := split(name)
	construct, ok := rows[row]
	if !ok {
		return nil, fmt.Errorf("there is no policy %q: %s", name, advice(row))
	}
	p, err := construct(row, parameters, period)
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return p, nil
}

// Names lists the names without parameters, in order.
func Names() []string { return slices.Sorted(maps.Keys(rows)) }

// split cuts a name into its row, in the canonical spelling of blanks, and its parameters.
func split(name string) (row string, parameters []string) {
	var heads []string
	for i, part := range strings.Split(name, "/") {
		part = strings.TrimSpace(part)
		if i > 0 && (len(parameters) > 0 || strings.Contains(part, "=")) {
			parameters = append(parameters, part)
			continue
		}
		if base, starred := strings.CutSuffix(part, "*"); starred {
			part = strings.TrimSpace(base) + " *"
		}
		heads = append(heads, part)
	}
	return strings.Join(heads, "/"), parameters
}

func advice(row string) string {
	if strings.Contains(row, "stretch-per") {
		return "the stretch variant is not available yet, use /per"
	}
	closest, least := "", 0
	for _, name := range Names() {
		if d := distance(strings.ToLower(row), strings.ToLower(name)); closest == "" || d < least {
			closest, least = name, d
		}
	}
	return fmt.Sprintf("did you mean %q?", closest)
}

// distance is Levenshtein's: the fewest insertions, deletions and replacements that turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
