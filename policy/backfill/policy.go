package backfill

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy is batch scheduling under one of the rules.
type Policy struct{ rule }

// rule says what the queue is promised.
type rule struct {
	name     string
	promises int  // starts that are promised at a time, the first in the queue first; 0: nobody overtakes
	endless  bool // who overtakes counts as never ending, so that it stays off what is reserved
}

var rules = []rule{
	{name: "FCFS"},
	{name: "EASY", promises: 1},
	{name: "EASY/no-reserved", promises: 1, endless: true},
	{name: "conservative", promises: math.MaxInt},
}

// New returns the policy of that name, one of FCFS, EASY, EASY/no-reserved and
// conservative; it takes no parameters, and its period does not matter.
func New(name string, parameters []string, _ cluster.Time) (Policy, error) {
	if len(parameters) > 0 {
		return Policy{}, fmt.Errorf("%s takes no parameters, but got %q", name, parameters)
	}
	for _, r := range rules {
		if r.name == name {
			return Policy{r}, nil
		}
	}
	return Policy{}, fmt.Errorf("%q is no way of batch scheduling", name)
}

// String is the canonical name.
func (p Policy) String() string { return p.name }

// Decide starts what may start by the rule, in the order of submission.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	o := v.Pending()
	if o.Empty() {
		return policy.Decision{Target: v.TargetAll()}
	}
	d := begin(v, p.rule, o)
	defer d.end()
	d.decide()
	return policy.Decision{Target: d.target, Refuse: d.refusals, Why: p.explained(v, o)}
}

// explained decides once more, looks at every job on the way, and tells why it is where it
// is, where that is news.
func (p Policy) explained(v *cluster.View, o cluster.Occasion) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		d := begin(v, p.rule, o)
		defer d.end()
		d.explains = true
		d.decide()
		for _, r := range d.reasons {
			if old := v.Job(r.Job).Why; (old.Code != r.Code || !slices.Equal(old.Values, r.Values)) && !tell(r) {
				return
			}
		}
	}
}
