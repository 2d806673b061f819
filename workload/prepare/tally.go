package prepare

import "fmt"

// Tally counts what a log held and what became of it.
type Tally struct {
	Records int    `json:"records"`
	Jobs    int    `json:"jobs"`
	Notes   []Note `json:"notes"` // in the order in which each befell a job first
}

// Note is one kind of thing that was repaired or skipped.
type Note struct {
	What    string  `json:"what"`
	Skipped bool    `json:"skipped"` // no job was made of these records
	Count   int     `json:"count"`
	First   []int64 `json:"first"` // the numbers of the first jobs
}

// named is how many jobs a note names.
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
