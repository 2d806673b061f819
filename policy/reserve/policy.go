package reserve

import (
	"fmt"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy is one of the seven.
type Policy struct {
	rule   Rule
	ledger *ledger
}

// New returns the policy of that name, which takes no parameters. The period does not matter.
func New(name string, parameters []string, _ cluster.Time) (Policy, error) {
	i := slices.Index(ruleNames[:], strings.TrimPrefix(name, family))
	if i < 0 {
		return Policy{}, fmt.Errorf("no policy of reservations is named %q", name)
	}
	if len(parameters) > 0 {
		return Policy{}, fmt.Errorf("%s takes no parameters, but got %q", name, parameters)
	}
	return Policy{Rule(i), new(ledger)}, nil
}

const family = "reserve/"

// String returns the canonical name.
func (p Policy) String() string { return family + p.rule.String() }

// Promises reports that the policy needs a cluster that keeps promises.
func (p Policy) Promises() bool { return true }

// Decide answers the jobs that came, starts those whose promised interval begins, and cuts those whose interval is
// over.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	d := decision{Draft: policy.Draft{Target: v.TargetAll(), Explains: true}, view: v, rule: p.rule, ledger: p.ledger}
	if v.Promises() == nil {
		for _, id := range v.Pending().Submitted {
			d.refuse(v.Job(id), cluster.WhyNoPromises)
		}
		return policy.Decision{Target: d.Target, Refuse: d.Refusals}
	}
	d.keep()
	d.admit(d.asking(v.Pending()))
	return policy.Decision{Target: d.Target, Refuse: d.Refusals, Promise: d.promises, Alarms: d.alarms(),
		Why: slices.Values(d.Reasons)}
}
