package prepare

import "fmt"

// Tally counts the records of a log and what became of them.
type Tally struct {
	Records int    `json:"records"`
	Jobs    int    `json:"jobs"`
	Notes   []Note `json:"notes"` // in the order of their first occurrence
}

// Note counts one kind of repair or skip.
type Note struct {
	What    string  `json:"what"`
	Skipped bool    `json:"skipped"` // no job was made of these records
	Count   int     `json:"count"`
	First   []int64 `json:"first"` // the numbers of the first jobs
}

// named limits the jobs that a note names.
const named = 5

func (t *Tally) note(what string, skipped bool, job int64) {
	for i := range t.Notes {
		if n := &t.Notes[i]; n.What == what {
			n.Count++
			if len(n.First) < named {
				n.First = append(n.First, job)
			}
			return
		}
	}
	t.Notes = append(t.Notes, Note{what, skipped, 1, []int64{job}})
}

func (n Note) String() string {
	verb := "repaired"
	if n.Skipped {
		verb = "skipped"
	}
	return fmt.Sprintf("%s %d: %s", verb, n.Count, n.What)
}
