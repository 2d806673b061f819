package wording

import (
	"fmt"
	"strings"

	"aliquot/cluster"
)

// Cause returns the sentence of a cause. Each code begins the sentence of the next one, and the words of a user or a
// node come last.
func Cause(c cluster.Cause, n Names) string {
	var text strings.Builder
	for _, r := range c.Why {
		text.WriteString(link(r, n))
	}
	return strings.TrimSuffix(text.String()+c.Text, ": ")
}

// link returns the beginning that one code of a cause gives.
func link(r cluster.Reason, n Names) string {
	if begin := causes[r.Code]; begin != nil {
		return begin(said{n.complete(), r.Values})
	}
	if reasons[r.Code] != nil {
		return Reason(r, n)
	}
	return unknown(string(r.Code)) + ": "
}

// causes are the beginnings that codes give to a sentence. A beginning that ends with a colon continues with the next
// code, or with the words. The comment of the code in room cluster explains its numbers.
var causes = map[cluster.ReasonCode]func(said) string{
	cluster.WhyOutcome:   func(s said) string { return cluster.Outcome(s.value(0)).String() + ": " },
	cluster.WhyTask:      func(s said) string { return fmt.Sprintf("task %d: ", s.value(0)) },
	cluster.WhyLostOften: lostOften,
	cluster.WhyLostOnce: func(s said) string {
		return fmt.Sprintf("task %d was lost and must not run twice: ", s.value(0))
	},
	cluster.WhyExitCode:   func(s said) string { return fmt.Sprintf("exit code %d", s.value(0)) },
	cluster.WhySignal:     func(said) string { return "killed by " },
	cluster.WhyNoExit:     func(said) string { return "ended without an exit" },
	cluster.WhyGone:       func(said) string { return "the VM is gone" },
	cluster.WhyOverran:    func(s said) string { return "it ran longer than its limit of " + s.span(0) },
	cluster.WhyNodeDown:   func(s said) string { return fmt.Sprintf("node %s is down: ", s.node(0)) },
	cluster.WhyConfirmed:  func(said) string { return "confirmed down by " },
	cluster.WhyFenced:     fenced,
	cluster.WhyConnected:  func(said) string { return "connected" },
	cluster.WhyLeaseValid: func(said) string { return "its lease is valid again" },
	cluster.WhyLeaseOut:   func(said) string { return "its lease has run out" },
	cluster.WhySourceDown: func(said) string { return "its source is down; its destination will report whether it has arrived" },
	cluster.WhyNoFit:      func(said) string { return "the decided placement no longer fits" },
	cluster.WhyMove:       func(s said) string { return cluster.MoveKind(s.value(0)).String() + ": " },
	cluster.WhyGivenUp:    func(said) string { return "given up: " },
	cluster.WhyNoProgress: func(s said) string { return "no progress within " + s.span(0) },
	cluster.WhyTooSlow:    func(s said) string { return "not done within " + s.span(0) },
	cluster.WhyLeftAlone:  leftAlone,
	cluster.WhyUnmet: func(s said) string {
		if cluster.Outcome(s.value(1)) == cluster.Succeeded {
			return fmt.Sprintf("it was to run only if %s failed, which succeeded", s.job(0))
		}
		return fmt.Sprintf("it was to run only after the success of %s, which %s", s.job(0), ended(s.value(1)))
	},
	cluster.WhyMet:        func(said) string { return "the jobs that it waited for have ended" },
	cluster.WhyLeads:      func(s said) string { return fmt.Sprintf("replica %d leads", s.value(0)) },
	cluster.WhyGeneration: func(s said) string { return fmt.Sprintf("generation %d", s.value(0)) },
	cluster.WhyPeriod:     func(s said) string { return "every " + cluster.Time(s.value(0)).Words() + ": " },
	cluster.WhyFormat:     func(s said) string { return fmt.Sprintf("format %d", s.value(0)) },
	cluster.WhyOver:       func(s said) string { return "its promised interval ended at " + s.moment(0) },
	cluster.WhyWorked: func(s said) string {
		return "it has had the work that it declared, " + wordsOf(s.value(0))
	},
	cluster.WhyMissed: func(s said) string {
		return "its deadline has passed, and it lacked " + wordsOf(s.value(0)) + " at its full CPU"
	},
	cluster.WhyMaintenance: func(s said) string {
		return fmt.Sprintf("maintenance from %s to %s: ", s.moment(0), s.moment(1))
	},
	cluster.WhyRescheduled: func(s said) string {
		return fmt.Sprintf("its promise ends at %s instead of %s", s.moment(1), s.moment(0))
	},
	cluster.WhyOffer: func(s said) string {
		what := fmt.Sprintf("offer %v: %s", cluster.OfferID(s.value(0)), Count(int(s.value(1)), "task"))
		if s.value(4) != 0 {
			return what + " by " + s.moment(4) + ": "
		}
		return what + " from " + s.moment(2) + " to " + s.moment(3) + ": "
	},
	cluster.WhyStanding: func(s said) string { return s.standing() + ": " },
	cluster.WhyOccurrence: func(s said) string {
		return fmt.Sprintf("%s, from %s to %s: ", s.standing(), s.moment(1), s.moment(2))
	},
	cluster.WhyServed:  func(s said) string { return "maintenance that was planned until " + s.moment(0) + " is over" },
	cluster.WhyTimeSet: func(s said) string { return fmt.Sprintf("from %s to %s", s.moment(0), s.moment(1)) },
}

func lostOften(s said) string {
	return fmt.Sprintf("task %d was lost %d times, at last: ", s.value(0), s.value(1))
}

func fenced(said) string {
	return "its lease and the margin have passed, and its fence, alive at the last report, lets nothing run there"
}

func leftAlone(s said) string {
	return fmt.Sprintf("%d moves failed in a row; left alone for %s", s.value(0), s.span(1))
}

// standing names the standing reservation.
func (s said) standing() string {
	return fmt.Sprintf("standing reservation %v", cluster.StandingID(s.value(0)))
}

// wordsOf returns a time in microseconds for people.
func wordsOf(micros int64) string { return cluster.Time(micros).Words() }

// moment returns a point in time, in UTC.
func (s said) moment(i int) string { return cluster.Time(s.value(i)).Moment() }

// ended returns what happened to a job without success.
func ended(outcome int64) string {
	if cluster.Outcome(outcome) == cluster.Cancelled {
		return "was cancelled"
	}
	return "failed"
}
