package wording

import (
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
)

// It is built into a manager to say every sentence in other words: in capital letters.
func init() {
	for _, table := range []map[cluster.ReasonCode]func(said) string{reasons, causes} {
		for _, code := range slices.Collect(maps.Keys(table)) {
			say := table[code]
			table[code] = func(s said) string { return strings.ToUpper(say(s)) }
		}
	}
}
