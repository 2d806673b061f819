package reproduce

import (
	"cmp"
	"fmt"
	"slices"
)

// Set is a set of traces of the report (section 5.3).
type Set string

// The sets of traces in the report's tables, figures and sentences.
const (
	Weeks      Set = "weeks"       // the HPC2N log in weeks
	Log        Set = "log"         // the HPC2N log unsplit
	Unscaled   Set = "unscaled"    // Lublin traces as generated
	Scaled     Set = "scaled"      // the Lublin traces at nine levels of load
	ScaledHigh Set = "scaled-high" // the scaled traces of load 0.7 and more
	LowLoad    Set = "load-0.1"
	HighLoad   Set = "load-0.9"
)

// Title returns the set's name for people.
func (s Set) Title() string {
	return map[Set]string{
		Weeks: "HPC2N weeks", Log: "HPC2N, unsplit", Unscaled: "unscaled synthetic traces", Scaled: "scaled synthetic traces",
		ScaledHigh: "scaled synthetic traces, load 0.7 and more", LowLoad: "synthetic traces at load 0.1",
		HighLoad: "synthetic traces at load 0.9",
	}[s]
}

// Sizes of the report's clusters (section 5.3).
const (
	logNodes       = 120
	syntheticNodes = 128
)

// Numbers of traces in the report.
const (
	lublinTraces = 100
	loadLevels   = 9
)

// Parameters of synthetic traces: 1,000 jobs each (section 5.3.2). The report's seeds are not published.
const (
	Seed          = 7659
	SyntheticJobs = 1000
)

// Trace is one trace of the report: a week of the log, the log, or a synthetic one.
type Trace struct {
	Index int // number of the week or the synthetic trace, from 0; 0 for the whole log
	Tenth int // tenths of offered load, 1 to 9; 0: not scaled
	Real  bool
	Whole bool // the log unsplit
}

// Name returns the trace's name in results.
func (t Trace) Name() string {
	switch {
	case t.Whole:
		return "HPC2N log"
	case t.Real:
		return fmt.Sprintf("HPC2N week %03d", t.Index)
	case t.Tenth > 0:
		return fmt.Sprintf("Lublin %03d at load 0.%d", t.Index, t.Tenth)
	}
	return fmt.Sprintf("Lublin %03d", t.Index)
}

// Nodes returns the number of nodes of the trace's cluster.
func (t Trace) Nodes() int {
	if t.Real {
		return logNodes
	}
	return syntheticNodes
}

// Load returns the offered load that the trace is scaled to; 0: it is not scaled.
func (t Trace) Load() float64 { return float64(t.Tenth) / 10 }

// In reports whether the trace belongs to the set.
func (t Trace) In(s Set) bool {
	switch s {
	case Log:
		return t.Whole
	case Weeks:
		return t.Real && !t.Whole
	case Unscaled:
		return !t.Real && t.Tenth == 0
	case Scaled:
		return t.Tenth > 0
	case ScaledHigh:
		return t.Tenth >= 7
	case LowLoad:
		return t.Tenth == 1
	case HighLoad:
		return t.Tenth == 9
	}
	return false
}

// Compare orders traces: weeks, synthetic traces by index and load, and last the log, which may take as long as all
// others.
func (t Trace) Compare(o Trace) int {
	rank := func(t Trace) int {
		switch {
		case t.Whole:
			return 2
		case t.Real:
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(t), rank(o)), cmp.Compare(t.Index, o.Index), cmp.Compare(t.Tenth, o.Tenth))
}

// Scope selects the part of the report to reproduce.
type Scope struct {
	Full  bool   // everything, or a fixed sample
	Weeks []int  // numbers of the log's weeks with submissions; nil: there is no log
	Parts []Part // tables and figures; nil: all
}

// every selects every step-th element from index first on.
type every struct{ first, step int }

// The sample: every thirteenth week from the seventh, every fifth synthetic trace, every twentieth of them at all
// loads.
var (
	sampleWeeks    = every{6, 13}
	sampleUnscaled = every{0, 5}
	sampleScaled   = every{0, 20}
)

// traces returns the traces of the scope, in order.
func (s Scope) traces() (traces []Trace) {
	weeks, unscaled, scaled := sampleWeeks, sampleUnscaled, sampleScaled
	if s.Full {
		weeks, unscaled, scaled = every{0, 1}, every{0, 1}, every{0, 1}
	}
	for i := weeks.first; i < len(s.Weeks); i += weeks.step {
		traces = append(traces, Trace{Index: s.Weeks[i], Real: true})
	}
	if s.Full && len(s.Weeks) > 0 {
		traces = append(traces, Trace{Real: true, Whole: true})
	}
	for i := unscaled.first; i < lublinTraces; i += unscaled.step {
		traces = append(traces, Trace{Index: i})
	}
	for i := scaled.first; i < lublinTraces; i += scaled.step {
		for tenth := 1; tenth <= loadLevels; tenth++ {
			traces = append(traces, Trace{Index: i, Tenth: tenth})
		}
	}
	slices.SortFunc(traces, Trace.Compare)
	return traces
}

// size returns the number of traces of the set in the report.
func (s Set) size() int {
	return map[Set]int{
		Weeks: 182, Log: 1, Unscaled: lublinTraces, Scaled: lublinTraces * loadLevels, ScaledHigh: lublinTraces * 3,
		LowLoad: lublinTraces, HighLoad: lublinTraces,
	}[s]
}
