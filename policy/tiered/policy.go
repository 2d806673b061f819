package tiered

import (
	"fmt"
	"iter"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy is one of the three algorithms.
type Policy struct{ rule }

// rule is how an algorithm takes background jobs to the foreground.
type rule struct {
	name  string
	way   way
	prose bool // REASY counts the extra nodes as the paper's prose says, not as its Algorithm 3 does
	blind bool // nothing is known of the use of CPU: every background place will do
}

// way is what becomes of a background job whose own nodes are not all free in the foreground.
type way uint8

const (
	kill    way = iota // it starts anew on other nodes
	stay               // it stays, and its own nodes are reserved for it
	migrate            // it moves to other nodes
)

var ways = map[string]way{"KEASY": kill, "REASY": stay, "MEASY": migrate}

// New returns the policy of that name. All accept the parameter blind, and REASY accepts extra=prose. The period does
// not matter.
func New(name string, parameters []string, _ cluster.Time) (Policy, error) {
	w, known := ways[name]
	if !known {
		return Policy{}, fmt.Errorf("no policy of two tiers is named %q", name)
	}
	r := rule{name: name, way: w}
	for _, p := range parameters {
		switch {
		case p == "blind" && !r.blind:
			r.blind = true
		case p == "extra=prose" && w == stay && !r.prose:
			r.prose = true
		case p == "blind" || p == "extra=prose" && w == stay:
			return Policy{}, fmt.Errorf("%s is given twice", p)
		case w == stay:
			return Policy{}, fmt.Errorf("there is no parameter %q; there are blind and extra=prose", p)
		default:
			return Policy{}, fmt.Errorf("there is no parameter %q; there is blind", p)
		}
	}
	return Policy{r}, nil
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
	return name
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
