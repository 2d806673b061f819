package labtest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An outcome is what came of a fault.
type outcome struct {
	fault     fault
	idle      bool          // there was nothing to hit
	noticed   time.Duration // from the fault; 0: never
	recovered time.Duration // from the removal of its cause
	excused   int           // runs lost for the fault's sake
	lost      int           // other runs lost
	gaps      int           // outputs with a gap or a repetition
	troubles  []string
}

func (o *outcome) trouble(format string, args ...any) {
	o.troubles = append(o.troubles, fmt.Sprintf(format, args...))
}

func (o outcome) String() string {
	out := fmt.Sprintf("noticed after %v, recovered after %v, %d runs lost by it",
		o.noticed.Round(time.Millisecond), o.recovered.Round(time.Millisecond), o.excused)
	if o.idle {
		out = "nothing to hit; " + out
	}
	return strings.Join(append([]string{out}, o.troubles...), "; ")
}

// figures are the outcomes of all faults.
type figures struct {
	outcomes []outcome
	troubles []string
}

func (f *figures) trouble(format string, args ...any) {
	f.troubles = append(f.troubles, fmt.Sprintf(format, args...))
}

func (f *figures) note(o outcome) {
	f.outcomes = append(f.outcomes, o)
	for _, text := range o.troubles {
		f.trouble("fault %d, %v: %s", len(f.outcomes), o.fault, text)
	}
}

// hopeless reports whether the last fault left the cluster in a state that makes further faults useless.
func (f *figures) hopeless() bool {
	last := f.outcomes[len(f.outcomes)-1]
	return last.recovered >= patience
}

// table formats the figures by kind.
func (f *figures) table() string {
	var out strings.Builder
	out.WriteString("| fault | times | noticed: p50 | p99 | recovered: p50 | p99 | runs lost by it | lost for no reason |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, kind := range append(f.kinds(), "") {
		var noticed, recovered []time.Duration
		times, excused, lost := 0, 0, 0
		for _, o := range f.outcomes {
			if o.idle || kind != "" && o.fault.kind != kind {
				continue
			}
			times++
			excused, lost = excused+o.excused, lost+o.lost
			recovered = append(recovered, o.recovered)
			if o.noticed > 0 {
				noticed = append(noticed, o.noticed)
			}
		}
		if kind == "" {
			kind = "all"
		}
		fmt.Fprintf(&out, "| %s | %d | %s | %s | %s | %s | %d | %d |\n", kind, times, quantile(noticed, 50),
			quantile(noticed, 99), quantile(recovered, 50), quantile(recovered, 99), excused, lost)
	}
	gaps, idle := 0, 0
	for _, o := range f.outcomes {
		gaps += o.gaps
		if o.idle {
			idle++
		}
	}
	fmt.Fprintf(&out, "\n%d faults, of which %d hit nothing. Outputs with a gap or a repetition: %d. Troubles: %d.\n",
		len(f.outcomes), idle, gaps, len(f.troubles))
	return out.String()
}

func (f *figures) kinds() (kinds []string) {
	for _, o := range f.outcomes {
		kinds = append(kinds, o.fault.kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// quantile returns the value that p of 100 do not exceed.
func quantile(values []time.Duration, p int) string {
	if len(values) == 0 {
		return "–"
	}
	slices.Sort(values)
	i := (len(values)*p+99)/100 - 1
	return fmt.Sprintf("%.1f s", values[max(0, i)].Seconds())
}
