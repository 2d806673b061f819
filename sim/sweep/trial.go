package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// Version is raised whenever a trial may give other numbers than before, so that stored results of an older program
// are not mistaken for results of this one.
const Version = 2

// Trial is one trace under one policy.
type Trial struct {
	Trace   string  `json:"trace"`  // name for people
	Digest  string  `json:"digest"` // digest of its jobs, see Digest
	Nodes   int     `json:"nodes"`
	Policy  string  `json:"policy"`           // canonical name
	Period  float64 `json:"period"`           // period of the policy's tick, in seconds; 600 if it has none
	Penalty float64 `json:"penalty"`          // penalty for rescheduling a job, in seconds
	Events  string  `json:"events,omitempty"` // digest of the events, see DigestOf; "": nothing happens
	sim.Terms
}

// Key returns the trial's identity: everything that its result depends on. The trace's name is not part of it.
func (t Trial) Key() string {
	key := fmt.Sprintf("%d|%s|%d|%s|%g|%g|%s|%s|%s", Version, t.Digest, t.Nodes, t.Policy, t.Period, t.Penalty, t.Cost,
		t.Estimates, t.Impossible)
	if t.Events != "" {
		key += "|" + t.Events
	}
	if t.Uses != "" {
		key += "|uses " + t.Uses
	}
	return key
}

// Ticks reports whether the period matters to the trial.
func (t Trial) Ticks() bool { return catalog.Ticks(t.Policy) }

// Compare orders trials by trace, policy, period, and the rest.
func (t Trial) Compare(o Trial) int {
	return cmp.Or(cmp.Compare(t.Trace, o.Trace), cmp.Compare(t.Policy, o.Policy), cmp.Compare(t.Period, o.Period),
		cmp.Compare(t.Penalty, o.Penalty), cmp.Compare(t.Cost, o.Cost), cmp.Compare(t.Estimates, o.Estimates),
		cmp.Compare(t.Impossible, o.Impossible), cmp.Compare(t.Uses, o.Uses), cmp.Compare(t.Events, o.Events),
		cmp.Compare(t.Nodes, o.Nodes), cmp.Compare(t.Digest, o.Digest))
}

// DigestOf identifies events by everything that happens: 32 hexadecimal digits; "" if nothing does.
func DigestOf(events []workload.Event) string {
	if len(events) == 0 {
		return ""
	}
	h := sha256.New()
	for _, e := range events {
		fmt.Fprintf(h, "%d %s %q %d %d\n", e.At, e.Kind, e.Node, e.Job, e.Speed)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Digest identifies a stream by everything that a simulation reads of its jobs, regardless of the file: 32
// hexadecimal digits.
func Digest(jobs []workload.Job) string {
	h := sha256.New()
	var b []byte
	for _, j := range jobs {
		b = b[:0]
		for _, n := range []int64{j.ID, int64(j.Submit), int64(j.Tasks), int64(j.Need), int64(j.Memory), int64(j.Runtime),
			int64(j.Estimate)} {
			b = binary.BigEndian.AppendUint64(b, uint64(n))
		}
		h.Write(b)
	}
	for i, j := range jobs { // last, so that streams without these columns keep their digests
		if j.Priority != 0 {
			fmt.Fprintf(h, "priority %d %d\n", i, j.Priority)
		}
		if j.FailOnLoss {
			fmt.Fprintf(h, "fails on loss %d\n", i)
		}
		if j.Class != 0 {
			fmt.Fprintf(h, "class %d %v\n", i, j.Class)
		}
		if j.Ready != 0 || j.Deadline != 0 {
			fmt.Fprintf(h, "window %d %d %d\n", i, j.Ready, j.Deadline)
		}
		if j.Rate != 0 || j.Efficiency != 0 || j.Loss != 0 {
			fmt.Fprintf(h, "tiers %d %d %d %d\n", i, j.Rate, j.Efficiency, j.Loss)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
