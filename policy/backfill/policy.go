package backfill

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy is batch scheduling under one of the rules.
type Policy struct{ rule }

// rule defines the promises to the queue and the nodes or cores that a task takes.
type rule struct {
	packing
	name     string
	promises int  // number of promised starts, from the head of the queue on; 0: no job overtakes another
	endless  bool // a job that overtakes counts as never ending, so that it cannot use reserved nodes
}

var rules = []rule{
	{name: "FCFS"},
	{name: "EASY", promises: 1},
	{name: "EASY/no-reserved", promises: 1, endless: true},
	{name: "conservative", promises: math.MaxInt},
	{name: "FCFS/cores", packing: packing{packs: true}},
	{name: "EASY/cores", packing: packing{packs: true}, promises: 1},
	{name: "conservative/cores", packing: packing{packs: true}, promises: math.MaxInt},
	{name: "FCFS/cores/exclusive", packing: packing{packs: true, exclusive: true}},
	{name: "EASY/cores/exclusive", packing: packing{packs: true, exclusive: true}, promises: 1},
	{name: "conservative/cores/exclusive", packing: packing{packs: true, exclusive: true}, promises: math.MaxInt},
}

// New returns the policy of that name. Policies that pack by cores accept the parameter per-node, the number of cores
// of a node; the others accept none. The period does not matter.
func New(name string, parameters []string, _ cluster.Time) (Policy, error) {
	for _, r := range rules {
		if r.name != name {
			continue
		}
		if len(parameters) > 0 && !r.packs {
			return Policy{}, fmt.Errorf("%s takes no parameters, but got %q", name, parameters)
		}
		for _, p := range parameters {
			if err := r.set(p); err != nil {
				return Policy{}, err
			}
		}
		return Policy{r}, nil
	}
	return Policy{}, fmt.Errorf("no batch policy is named %q", name)
}

// set applies a parameter to the rule.
func (r *rule) set(parameter string) error {
	name, value, _ := strings.Cut(parameter, "=")
	if name = strings.TrimSpace(name); name != "per-node" {
		return fmt.Errorf("there is no parameter %q; there is per-node=CORES", name)
	}
	cores, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || cores < 1 || cores > mostCores {
		return fmt.Errorf("per-node must be a number of cores from 1 to %d, not %q", mostCores, value)
	}
	if r.perNode != 0 {
		return fmt.Errorf("per-node is given twice")
	}
	r.perNode = cores
	return nil
}

// mostCores limits the parameter per-node.
const mostCores = 10_000

// String returns the canonical name.
func (p Policy) String() string {
	if p.perNode > 0 {
		return fmt.Sprintf("%s/per-node=%d", p.name, p.perNode)
	}
	return p.name
}

// Refusals returns the refusals of jobs that can never run: see policy.Refusals.
func (p Policy) Refusals(v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	d := begin(v, p.rule, cluster.Occasion{})
	defer d.end()
	for _, j := range jobs {
		d.refuse(j)
	}
	return d.Refusals
}

// Decide starts jobs as the rule permits, in the order of submission.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	o := v.Pending().For(cluster.AlarmTick, cluster.AlarmRetry) // a tick means that another policy was in force before
	if o.Empty() {
		return policy.Decision{Target: v.TargetAll()}
	}
	d := begin(v, p.rule, o)
	defer d.end()
	d.decide()
	return policy.Decision{Target: d.Target, Refuse: d.Refusals, Why: policy.News(v, p.explained(v, o))}
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
