package tiered

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy is one of the three algorithms.
type Policy struct{ rule }

// rule is how an algorithm takes background jobs to the foreground.
type rule struct {
	name     string
	way      way
	prose    bool // REASY counts the extra nodes as the paper's prose says, not as its Algorithm 3 does
	blind    bool // nothing is known of the use of CPU: every background place will do
	declared bool // the use of CPU is the need, whatever was measured
	// threshold is the foreground use of a node from which on its background takes no task; zero: the paper's
	threshold cluster.Parts
}

// way is what becomes of a background job whose own nodes are not all free in the foreground.
type way uint8

const (
	kill    way = iota // it starts anew on other nodes
	stay               // it stays, and its own nodes are reserved for it
	migrate            // it moves to other nodes
)

var ways = map[string]way{"KEASY": kill, "REASY": stay, "MEASY": migrate}

// busy is the paper's threshold (section 2.1).
const busy = cluster.Whole * 96 / 100

// New returns the policy of that name. All accept the parameter blind, or use=declared and threshold, and REASY accepts
// extra=prose. The period does not matter.
func New(name string, parameters []string, _ cluster.Time) (Policy, error) {
	w, known := ways[name]
	if !known {
		return Policy{}, fmt.Errorf("no policy of two tiers is named %q", name)
	}
	r := rule{name: name, way: w}
	for _, p := range parameters {
		if err := r.set(p); err != nil {
			return Policy{}, err
		}
	}
	if r.blind && (r.threshold != 0 || r.declared) {
		return Policy{}, errors.New("a blind policy knows no use of CPU: leave blind out, or threshold and use")
	}
	if r.threshold == busy {
		r.threshold = 0
	}
	return Policy{r}, nil
}

// set sets one parameter.
func (r *rule) set(parameter string) error {
	name, value, _ := strings.Cut(parameter, "=")
	switch prose := r.way == stay && parameter == "extra=prose"; {
	case parameter == "blind" && !r.blind:
		r.blind = true
	case prose && !r.prose:
		r.prose = true
	case name == "threshold" && r.threshold == 0:
		return r.limit(value)
	case parameter == "use=declared" && !r.declared:
		r.declared = true
	case parameter == "blind" || parameter == "use=declared" || prose || name == "threshold":
		return fmt.Errorf("%s is given twice", name)
	case r.way == stay:
		return fmt.Errorf("there is no parameter %q; there are blind, use=declared, threshold=PART and extra=prose", parameter)
	default:
		return fmt.Errorf("there is no parameter %q; there are blind, use=declared and threshold=PART", parameter)
	}
	return nil
}

// limit sets the threshold.
func (r *rule) limit(value string) error {
	if r.threshold = digits(value); r.threshold < 1 || r.threshold > cluster.Whole {
		return fmt.Errorf("threshold is %q, must be a part of a node from 0.000001 to 1", value)
	}
	return nil
}

// digits returns a part that is written in digits and a point alone; -1: it is not.
func digits(value string) cluster.Parts {
	part, err := strconv.ParseFloat(value, 64)
	if err != nil || strings.Trim(value, "0123456789.") != "" || part > math.MaxInt32 {
		return -1
	}
	return cluster.Parts(math.Round(part * float64(cluster.Whole)))
}

// String returns the canonical name.
func (p Policy) String() string {
	name := p.name
	if p.prose {
		name += "/extra=prose"
	}
	if p.blind {
		name += "/blind"
	}
	if p.declared {
		name += "/use=declared"
	}
	if p.threshold != 0 {
		name += "/threshold=" + strconv.FormatFloat(float64(p.threshold)/float64(cluster.Whole), 'f', -1, 64)
	}
	return name
}

// Refusals returns the refusals of jobs that can never run: see policy.Refusals.
func (p Policy) Refusals(v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	return refusals(v, jobs, (*decision).refuse)
}

// refusals returns the refusals that refuse makes.
func refusals(v *cluster.View, jobs []*cluster.Job, refuse func(*decision, *cluster.Job)) []cluster.Refusal {
	d := begin(v, rule{}, cluster.Occasion{})
	defer d.end()
	for _, j := range jobs {
		refuse(d, j)
	}
	return d.Refusals
}

// Decide starts jobs, takes them to the foreground, and fills the background.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	o := v.Pending().For(cluster.AlarmTick, cluster.AlarmRetry) // a tick means that another policy was in force before
	if o.Empty() {
		return policy.Decision{Target: v.TargetAll()}
	}
	d := begin(v, p.rule, o)
	defer d.end()
	d.decide()
	return policy.Decision{Target: d.Target, Kill: slices.Clone(d.kills), Refuse: d.Refusals,
		Why: policy.News(v, p.explained(v, o))}
}

// explained repeats the decision, examines every job and returns all reasons.
func (p Policy) explained(v *cluster.View, o cluster.Occasion) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		d := begin(v, p.rule, o)
		defer d.end()
		d.Explains = true
		d.decide()
		slices.Values(d.Reasons)(tell)
	}
}
