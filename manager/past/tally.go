package past

import (
	"maps"

	"aliquot/cluster"
)

// Counted is a kind of happening that is counted: an event, of an outcome or of a kind of move, for a cause.
type Counted struct {
	Event cluster.EventKind
	Of    string             // of JobEnding the outcome, of MoveFailed the kind of move; else empty
	Cause cluster.ReasonCode // the first cause of all; empty if there is none
}

// Tally counts events. The counts of usual causes are there from the beginning, so that the first event raises them.
type Tally struct{ counts map[Counted]uint64 }

// usual lists the causes by which jobs, moves and runs usually fail.
var usual = map[cluster.EventKind][]cluster.ReasonCode{
	cluster.JobEnding: {cluster.WhyExitCode, cluster.WhySignal, cluster.WhyNoExit, cluster.WhyOverran},
	cluster.MoveFailed: {"", cluster.WhyGivenUp, cluster.WhyNoProgress, cluster.WhyTooSlow, cluster.WhyNodeDown,
		cluster.WhyConfirmed, cluster.WhyFenced},
	cluster.TaskLost: {"", cluster.WhyGone, cluster.WhyNodeDown, cluster.WhyConfirmed, cluster.WhyFenced},
}

// completed lists the events by which moves of each kind end well.
var completed = map[cluster.MoveKind]cluster.EventKind{
	cluster.Start: cluster.TaskStarted, cluster.Stop: cluster.TaskStopped, cluster.Pause: cluster.TaskPaused,
	cluster.Resume: cluster.TaskResumed, cluster.Migrate: cluster.TaskMigrated, cluster.Resize: cluster.TaskResized,
}

// NewTally returns a tally in which nothing has happened.
func NewTally() *Tally {
	t := &Tally{counts: map[Counted]uint64{}}
	t.expect(cluster.JobEnding, cluster.Failed.String(), usual[cluster.JobEnding]...)
	t.expect(cluster.JobEnding, cluster.Succeeded.String(), "")
	t.expect(cluster.JobEnding, cluster.Cancelled.String(), "")
	t.expect(cluster.TaskLost, "", usual[cluster.TaskLost]...)
	for kind, event := range completed {
		t.expect(event, "", "")
		t.expect(cluster.MoveFailed, kind.String(), usual[cluster.MoveFailed]...)
	}
	return t
}

func (t *Tally) expect(event cluster.EventKind, of string, causes ...cluster.ReasonCode) {
	for _, cause := range causes {
		t.counts[Counted{event, of, cause}] = 0
	}
}

// Add counts the event, if it is of a kind that is counted. A move that is given up counts when it has failed.
func (t *Tally) Add(e *cluster.Event) {
	switch {
	case e.Kind == cluster.JobEnding && begins(e, cluster.WhyOutcome):
		t.count(e, cluster.Outcome(e.Why[0].Values[0]).String(), e.Why[1:])
	case e.Kind == cluster.JobEnded && begins(e, cluster.WhyOutcome) && e.Why[0].Values[0] == int64(cluster.Succeeded):
		t.counts[Counted{Event: cluster.JobEnding, Of: cluster.Succeeded.String()}]++ // nobody decided that it ends
	case e.Kind == cluster.MoveFailed && begins(e, cluster.WhyMove):
		t.count(e, cluster.MoveKind(e.Why[0].Values[0]).String(), e.Why[1:])
	case e.Kind == cluster.TaskLost:
		t.count(e, "", e.Why)
	default:
		if _, counted := t.counts[Counted{Event: e.Kind}]; counted {
			t.count(e, "", nil)
		}
	}
}

func begins(e *cluster.Event, code cluster.ReasonCode) bool {
	return len(e.Why) > 0 && e.Why[0].Code == code
}

func (t *Tally) count(e *cluster.Event, of string, causes []cluster.Reason) {
	c := Counted{Event: e.Kind, Of: of}
	if len(causes) > 0 {
		c.Cause = causes[len(causes)-1].Code
	}
	t.counts[c]++
}

// Counts returns what was counted so far.
func (t *Tally) Counts() map[Counted]uint64 { return maps.Clone(t.counts) }

// Completed returns how many moves of the kind have ended well, by what was counted.
func Completed(counts map[Counted]uint64, kind cluster.MoveKind) uint64 {
	return counts[Counted{Event: completed[kind]}]
}
