package reproduce

import (
	"cmp"
	"fmt"
	"slices"
)

// Set is a set of traces of the report, section 5.3.
type Set string

// The sets of traces that tables, figures and sentences of the report speak of.
const (
	Weeks      Set = "weeks"       // the HPC2N log in weeks
	Log        Set = "log"         // the HPC2N log unsplit
	Unscaled   Set = "unscaled"    // Lublin traces as generated
	Scaled     Set = "scaled"      // the same at nine levels of load
	ScaledHigh Set = "scaled-high" // those of load 0.7 and more
	LowLoad    Set = "load-0.1"
	HighLoad   Set = "load-0.9"
)

// Title is what people call the set.
func (s Set) Title() string {
	return map[Set]string{
		Weeks: "HPC2N weeks", Log: "HPC2N, unsplit", Unscaled: "unscaled synthetic traces", Scaled: "scaled synthetic traces",
		ScaledHigh: "scaled synthetic traces, load 0.7 and more", LowLoad: "synthetic traces at load 0.1", HighLoad: "synthetic traces at load 0.9",
	}[s]
}

// What the clusters of the report hold, section 5.3.
const (
	logNodes       = 120
	syntheticNodes = 128
)

// How many traces the report has.
const (
	lublinTraces = 100
	loadLevels   = 9
)

// What synthetic traces are drawn with: 1,000 jobs each (section 5.3.2); the report's seeds are not published.
const (
	Seed          = 7659
	SyntheticJobs = 1000
)

// Trace is one trace of the report: a week of the log, the log, or a synthetic one.
type Trace struct {
	Index int // of the week or the synthetic trace, from 0; 0 for the whole log
	Tenth int // of offered load, 1 to 9; 0: not scaled
	Real  bool
	Whole bool // the log unsplit
}

// Name is what the trace is called in results.
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

// Nodes is the size of the cluster that the trace is for.
func (t Trace) Nodes() int {
	if t.Real {
		return logNodes
	}
	return syntheticNodes
}

// Load is the offered load that the trace is scaled to; 0: it is not scaled.
func (t Trace) Load() float64 { return float64(t.Tenth) / 10 }

// In says whether the trace belongs to the set.
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

// Compare orders traces: weeks, synthetic ones by index and load, and last the log, which may take as long as all of them.
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

// Scope is how much of the report is reproduced.
type Scope struct {
	Full  bool   // everything, or a fixed sample
	Weeks []int  // numbers of the log's weeks in which jobs came; nil: there is no log
	Parts []Part // which tables and figures; nil: all
}

// every is a choice among things in order: the first one's index, and the step to the next.
type every struct{ first, step int }

// The sample: every thirteenth week from the seventh, every fifth synthetic trace, every twentieth of them at all loads.
var (
	sampleWeeks    = every{6, 13}
	sampleUnscaled = every{0, 5}
	sampleScaled   = every{0, 20}
)

// traces lists those of the scope, in order.
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

// size is how many traces of the set the report has.
func (s Set) size() int {
	return map[Set]int{
		Weeks: 182, Log: 1, Unscaled: lublinTraces, Scaled: lublinTraces * loadLevels, ScaledHigh: lublinTraces * 3,
		LowLoad: lublinTraces, HighLoad: lublinTraces,
	}[s]
}
