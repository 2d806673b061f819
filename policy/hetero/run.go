package hetero

import "cmp"

// Level is the priority of a job.
type Level uint8

// The levels of priority, the highest first.
const (
	High Level = iota
	Medium
	Low
)

var levelNames = [...]string{"H", "M", "L"}

// Levels lists all levels, the highest first.
var Levels = []Level{High, Medium, Low}

// String returns the letter of the level.
func (l Level) String() string { return levelNames[l] }

// ParseLevel returns the level with that letter, and false for any other text.
func ParseLevel(text string) (Level, bool) {
	for _, l := range Levels {
		if text == l.String() {
			return l, true
		}
	}
	return 0, false
}

// Work is a job as the scheduler sees it.
type Work struct {
	Job    int // position in the stream: names the job and breaks ties
	Type   int // index in Table.Types
	Level  Level
	Submit Ticks
	Done   Part // of the job, when it was suspended
}

// Part is a part of a job, in millionths.
type Part int64

// whole is the whole of a job.
const whole Part = 1_000_000

// before orders jobs by submission, then position.
func (w Work) before(o Work) int {
	return cmp.Or(cmp.Compare(w.Submit, o.Submit), cmp.Compare(w.Job, o.Job))
}

// Run is a job on a machine or a cluster, with its planned interval.
type Run struct {
	Work
	Parallel bool
	Resource int // index of the machine, or of the cluster if parallel
	Start    Ticks
	End      Ticks
	Begun    bool // the caller has started it
	Saved    Part // of the job, if a begun run is suspended now; the caller measures it
}

// Machines returns the machines that a run takes.
func (t *Table) Machines(r Run) []int {
	if r.Parallel {
		return t.Groups[r.Resource]
	}
	return []int{r.Resource}
}
