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

// row is a name without parameters: what makes its policy, and what it does in a line.
type row struct {
	construct constructor
	about     string
}

var rows = map[string]row{
	"FCFS":           {from(backfill.New), "whole nodes in the order of submission; nobody overtakes"},
	"Greedy *":       {from(dfrs.New), "a new job goes where load is least, or waits until there may be room"},
	"GreedyP *":      {from(dfrs.New), "as Greedy *, and a new job may pause others of lower priority"},
	"GreedyPM *":     {from(dfrs.New), "as GreedyP *, and what would be paused moves if it fits elsewhere"},
	"Greedy/per":     {from(dfrs.New), "Greedy for new jobs; MCB8 maps all anew at every tick"},
	"GreedyP/per":    {from(dfrs.New), "GreedyP for new jobs; MCB8 maps all anew at every tick"},
	"GreedyPM/per":   {from(dfrs.New), "GreedyPM for new jobs; MCB8 maps all anew at every tick"},
	"Greedy */per":   {from(dfrs.New), "Greedy * between ticks; MCB8 maps all anew at every tick"},
	"GreedyP */per":  {from(dfrs.New), "GreedyP * between ticks; MCB8 maps all anew at every tick"},
	"GreedyPM */per": {from(dfrs.New), "GreedyPM * between ticks; MCB8 maps all anew at every tick"},
	"MCB8 *":         {from(dfrs.New), "MCB8 maps all anew on every submission and completion"},
	"MCB8/per":       {from(dfrs.New), "MCB8 maps all anew on every submission and at every tick"},
	"MCB8 */per":     {from(dfrs.New), "MCB8 maps all anew on every submission and completion, and at every tick"},
	"/per":           {from(dfrs.New), "MCB8 maps all anew at every tick; new jobs wait for it"},
}

func from[P policy.Policy](construct func(string, []string, cluster.Time) (P, error)) constructor {
	return func(row string, parameters []string, period cluster.Time) (policy.Policy, error) {
		return construct(row, parameters, period)
	}
}

// Parse returns the policy of that published name, with the given period of its tick if it
// has one. The error for an unknown name names the one that is meant, or all there are.
func Parse(name string, period cluster.Time) (policy.Policy, error) {
	head, parameters := split(name)
	r, ok := rows[head]
	if !ok {
		return nil, fmt.Errorf("there is no policy %q: %s", name, advice(head))
	}
	p, err := r.construct(head, parameters, period)
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return p, nil
}

// Names lists the names without parameters, in order.
func Names() []string { return slices.Sorted(maps.Keys(rows)) }

// About says in a line what the policy of a name without parameters does; "" for any other.
func About(name string) string { return rows[name].about }

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
	closest, least := "", max(4, len(row)/3+1) // at most three edits, or a third of what was written
	least = min(least, len(row))
	for _, name := range Names() {
		if d := distance(strings.ToLower(row), strings.ToLower(name)); d < least {
			closest, least = name, d
		}
	}
	if closest == "" {
		return "there are " + strings.Join(Names(), ", ")
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
