package cluster

import (
	"fmt"
	"strings"
)

// Tally lists states with the number of nodes in each: "1 is cordoned, 2 draining". The zero value is empty.
type Tally []string

// Add appends a state, unless no node is in it.
func (t *Tally) Add(nodes int, state string) {
	be := ""
	if len(*t) == 0 {
		be = "are "
		if nodes == 1 {
			be = "is "
		}
	}
	if nodes > 0 {
		*t = append(*t, fmt.Sprintf("%d %s%s", nodes, be, state))
	}
}

func (t Tally) String() string { return strings.Join(t, ", ") }
