package cluster

// Cause is the reason for an event: codes with numbers, each in front of the code of its own cause, and then words.
// Package wording makes a sentence of it.
type Cause struct {
	Why  []Reason // with Job 0 if not about a job
	Text string   // words of a user or a node, as given; in states below Format 3, the whole sentence
}

// The causes of endings, exits and events, with their numbers.
const (
	WhyOutcome     ReasonCode = "outcome"          // outcome of the job
	WhyTask        ReasonCode = "task"             // task that failed
	WhyLostOften   ReasonCode = "lost_often"       // task, how often it was lost
	WhyLostOnce    ReasonCode = "lost_once"        // task that was lost and must not run twice
	WhyExitCode    ReasonCode = "exit_code"        // exit code of the guest
	WhySignal      ReasonCode = "signal"           // none; the text is the signal's name
	WhyNoExit      ReasonCode = "no_exit"          // none: the run ended without an exit code
	WhyGone        ReasonCode = "gone"             // none: the VM is gone
	WhyOverran     ReasonCode = "overran"          // limit of the run time, in seconds
	WhyNodeDown    ReasonCode = "node_down"        // node
	WhyConfirmed   ReasonCode = "confirmed"        // none; the text is the name of the actor
	WhyFenced      ReasonCode = "fenced"           // none: the lease and the margin have passed
	WhyConnected   ReasonCode = "connected"        // none: the node has connected
	WhyLeaseValid  ReasonCode = "lease_valid"      // none: the lease is valid again
	WhyLeaseOut    ReasonCode = "lease_out"        // none: the lease has run out
	WhySourceDown  ReasonCode = "source_down"      // none: the source of the migration is down
	WhyNoFit       ReasonCode = "no_fit"           // none: the decided placement no longer fits
	WhyMove        ReasonCode = "move"             // kind of the move that failed
	WhyGivenUp     ReasonCode = "given_up"         // none: the move was aborted
	WhyNoProgress  ReasonCode = "no_progress"      // seconds without progress
	WhyTooSlow     ReasonCode = "too_slow"         // seconds that the move may take in all
	WhyLeftAlone   ReasonCode = "left_alone"       // moves that failed in a row, seconds until the next attempt
	WhyLeads       ReasonCode = "leads"            // replica
	WhyGeneration  ReasonCode = "generation"       // generation
	WhyPeriod      ReasonCode = "period"           // microseconds; the text is the policy's name
	WhyFormat      ReasonCode = "format"           // format
	WhyOver        ReasonCode = "interval_over"    // end of the promised interval, in microseconds since 1970
	WhyWorked      ReasonCode = "work_done"        // work that was declared, in microseconds at the full need
	WhyMissed      ReasonCode = "missed"           // work that was left at the deadline, in microseconds at the full need
	WhyMaintenance ReasonCode = "maintenance"      // begin and end, in microseconds since 1970; the text is the reason
	WhyServed      ReasonCode = "maintenance_over" // its planned end, in microseconds since 1970
	WhyTimeSet     ReasonCode = "time_set"         // the cluster's time before and after, in microseconds since 1970
	WhyUnmet       ReasonCode = "unmet"            // job that did not end as this one needs, its outcome
	WhyRescheduled ReasonCode = "rescheduled"      // end of its promise before and after, in microseconds since 1970
	// offer, its tasks, begin and end of its interval, and its deadline or 0, in microseconds since 1970; the text is the
	// name of its job
	WhyOffer ReasonCode = "offer"
	// standing reservation; the text is the name of its jobs
	WhyStanding ReasonCode = "standing"
	// standing reservation, begin and end of an occurrence, in microseconds since 1970; the text is why it has no room, or
	// the name of its job
	WhyOccurrence ReasonCode = "occurrence"
	WhyMet        ReasonCode = "met" // none: all jobs that it waited for have ended
)

// Because returns a cause of one code with its numbers.
func Because(code ReasonCode, values ...int64) Cause {
	return Cause{Why: []Reason{{Code: code, Values: values}}}
}

// from returns the cause of a further effect: the given code in front of this cause.
func (c Cause) from(code ReasonCode, values ...int64) Cause {
	return Cause{append([]Reason{{Code: code, Values: values}}, c.Why...), c.Text}
}

// empty reports whether the cause says nothing.
func (c Cause) empty() bool { return len(c.Why) == 0 && c.Text == "" }

// kept returns the cause as a state of this Format keeps it.
func (s *State) kept(c Cause) Cause {
	if s.Format >= keepsCodes {
		return c
	}
	return Cause{Text: legacyCause(c, func(id NodeID) string { return s.Node(id).Name })}
}

// format returns the least Format whose commands may hold the cause.
func (c Cause) format() uint32 {
	if len(c.Why) > 0 {
		return keepsCodes
	}
	return 1
}

// within returns the cause as commands of the Format may hold it.
func (c Cause) within(format uint32) Cause {
	if format >= c.format() {
		return c
	}
	return Cause{Text: legacyCause(c, plainNode)}
}
