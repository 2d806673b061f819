package cluster

import "math/bits"

// Parts is a part of a whole in parts per million.
type Parts int64

// Whole is all of it.
const Whole Parts = 1_000_000

// Float returns the part as a number: 1 is the whole.
func (p Parts) Float() float64 { return float64(p) / float64(Whole) }

// Work is the CPU time of a run's VM on its node since its monitor began to measure it, in sums over its virtual CPUs.
// Invariant: while the VM is on the node and its monitor runs, neither sum goes back.
type Work struct {
	Ran    Time // that it had, in microseconds
	Waited Time // that its cap allowed and the host did not give while it was ready to run, in microseconds
}

// Progress is what a node's reports have shown of a run: the last of them, and how much of its cap the run could use.
// Apply alone writes it. The zero value is that of a run whose work is not observed.
type Progress struct {
	Work     Work  // as last reported
	Tier     Tier  // in force then
	At       Time  // of the state when it was reported, in microseconds; zero: never
	Observed bool  // Steal was measured between two reports
	Steal    Parts // of the cap that the host did not give. Invariant: from 0 to Whole, 0 unless Observed
	// Used is what it used or waited for, on average between the two reports, in the node's own millicores.
	// Invariant: 0 unless Observed
	Used CPU
}

const (
	shortestSpan = 10 * Second // between two reports that are compared: those closer together are too coarse
	lateness     = Minute      // of a report: by so much the work of a span may exceed its wall time
	idle         = 50          // a guest that is ready to run for less than one part in 50 of the wall time is idle
)

// After returns the progress once the node has reported w, with the tier in force, for a VM with that number of
// virtual CPUs.
//
// Steal is Waited/(Ran+Waited) between the two reports. A guest that was idle for most of the time between them is not
// starved. The first report after a change of the tier is only a beginning. So is one that cannot be true: a sum that
// went back, as it does when a monitor is restarted, or that grew by more than the wall time allows. Until the next,
// nothing is observed.
func (p Progress) After(w Work, tier Tier, now Time, vcpus int) Progress {
	ran, waited, span := w.Ran-p.Work.Ran, w.Waited-p.Work.Waited, now-p.At
	begun := Progress{Work: w, Tier: tier, At: now}
	switch {
	case w.Ran < 0 || w.Waited < 0 || vcpus < 1:
		return Progress{}
	case p.At == 0 || p.Tier != tier || ran < 0 || waited < 0 || !possible(ran, waited, span, vcpus):
		return begun
	case span < shortestSpan:
		return p
	}
	begun.Observed = true
	ready := ran + waited
	begun.Used = min(CPU(vcpus)*Core, CPU(ratio(uint64(ready), uint64(Core), uint64(span))))
	if ready > 0 && ready >= span/idle {
		begun.Steal = Parts(ratio(uint64(waited), uint64(Whole), uint64(ready)))
	}
	return begun
}

// sound reports whether the invariants hold.
func (p *Progress) sound() bool {
	return p.Steal >= 0 && p.Steal <= Whole && p.Used >= 0 && (p.Observed || p.Steal == 0 && p.Used == 0)
}

// ratio returns a·b/c, rounded down. The result must fit.
func ratio(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	quotient, _ := bits.Div64(hi, lo, c)
	return quotient
}

// possible reports whether a VM can have had and waited for so much CPU time within the span of wall time.
func possible(ran, waited, span Time, vcpus int) bool {
	most := max(0, span) + lateness
	return ran/Time(vcpus) <= most && waited/Time(vcpus) <= most && (ran+waited)/Time(vcpus) <= most
}

// Measured returns what the task's VM used of the CPU in the foreground, on average over a minute or so, in millicores.
// In the background it uses what is left, which says nothing.
func (t *Task) Measured() (used CPU, known bool) {
	if !t.observed() || t.Progress.Tier != Foreground || t.Tier != Foreground {
		return 0, false
	}
	return t.Progress.Used, true
}

// works records a report of the work of the task's VM. States may share a Progress, so the task gets another.
func (t *Task) works(w Work, tier Tier, now Time, vcpus int) {
	var p Progress
	if t.Progress != nil {
		p = *t.Progress
	}
	if p = p.After(w, tier, now, vcpus); p == (Progress{}) {
		t.Progress = nil
	} else {
		t.Progress = &p
	}
}

// observed reports whether two reports have shown how much of its cap the task's VM can use.
func (t *Task) observed() bool { return t.Progress != nil && t.Progress.Observed }

// steal returns the part of the task's cap that does not count as progress. Where the work is not observed, all of the
// cap counts in the foreground, which guarantees it, and nothing of it in the background.
func (t *Task) steal() Parts {
	switch {
	case t.observed():
		return t.Progress.Steal
	case t.Tier == Background || t.InTier == Background:
		return Whole
	}
	return 0
}

// Source is the origin of a job's rate of progress.
type Source string

// The sources of a rate of progress.
const (
	ByWork  Source = "observed" // all tasks' work is reported
	ByCap   Source = "cap"      // at least one task's cap stands for what it could have had
	ByGrant Source = "grant"    // a task's work is not observed and its tier, the background, guarantees nothing
)

// Rate returns the job's present rate of progress, as a part of its full speed, and the source of the rate. A job that
// makes no progress has the rate 0 with the source ByCap.
func (j *Job) Rate() (Parts, Source) {
	if j.Clock.Share <= 0 {
		return 0, ByCap
	}
	source := ByWork
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Phase != Done && !t.observed() {
			source = ByCap
		}
	}
	if source == ByCap && j.Clock.Steal == Whole {
		source = ByGrant
	}
	return Parts(min(j.Clock.Share, j.Spec.Need)) * (Whole - j.Clock.Steal) / Parts(j.Spec.Need), source
}
