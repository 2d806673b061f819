package replay

import (
	"fmt"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
	"aliquot/wording"
)

// Unknown is the error for a policy's name that does not exist.
type Unknown struct{ error }

// Unwrap returns the error itself.
func (u Unknown) Unwrap() error { return u.error }

// Decision is a decision with its occasion and the moves that follow.
type Decision struct {
	Revision uint64   `json:"revision"`          // of the view
	Policy   string   `json:"policy"`            // canonical name
	Occasion []string `json:"occasion"`          // events that the decision was made on, in words
	Jobs     []Job    `json:"jobs"`              // by id
	Moves    []Move   `json:"moves"`             // in the order of the plan
	Blocked  []Block  `json:"blocked,omitempty"` // tasks that the plan cannot change for now
	// Weighed is the best plan for running jobs and its worth, as a sentence; empty: the policy sought none.
	Weighed string `json:"weighed,omitempty"`
}

// Job is a change to a job, or the reason why it does not change.
type Job struct {
	Job    string `json:"job"`              // id, like j7
	Before string `json:"before,omitempty"` // placement under the present target, like 500m on n1 n2; empty: none
	After  string `json:"after,omitempty"`  // placement by the decision; empty: none
	Why    string `json:"why"`              // reason of the job's state, as a sentence
}

// Move is a move of the plan that follows.
type Move struct {
	Kind  string `json:"kind"`
	Task  string `json:"task"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	CPU   string `json:"cpu,omitempty"`
	After []int  `json:"after,omitempty"` // numbers of the moves that must end before, from 1
}

// Block is a task that the plan cannot change for now, with the obstacle.
type Block struct {
	Task string `json:"task"`
	Why  string `json:"why"`
}

// Decide repeats the decision of a saved view with the policy of that name. It decides on the pending occasion or, if
// nothing is pending, on the periodic tick. The error is [Unknown] if there is no such policy.
func Decide(v *cluster.Snapshot, name string) (*Decision, error) {
	p, err := catalog.Parse(name, v.Policy.Period)
	if err != nil {
		return nil, Unknown{err}
	}
	preview, err := scheduler.Foresee(v, scheduler.Hypothesis{}, func(cluster.PolicyChoice) (policy.Policy, error) {
		return p, nil
	})
	if err != nil {
		return nil, fmt.Errorf("adopt the decision: %w", err)
	}
	d := &Decision{Revision: v.Revision, Policy: name, Occasion: occasion(v), Jobs: []Job{}, Moves: []Move{}}
	if preview.Weighed != nil {
		d.Weighed = wording.Weighed(preview.Weighed)
	}
	after := preview.After
	for j := range v.Jobs() {
		changed := Job{Job: j.ID.String(), Before: holds(v, j.ID), After: holds(after, j.ID)}
		if now := after.Job(j.ID); now != nil {
			changed.Why = wording.Reason(now.Why, wording.Names{})
		} else {
			changed.Why = "refused: " + wording.Cause(after.Ended(j.ID).Ending.Cause, wording.Names{})
		}
		d.Jobs = append(d.Jobs, changed)
	}
	for _, s := range preview.Plan.Steps {
		d.Moves = append(d.Moves, moved(after, s))
	}
	for _, b := range preview.Plan.Blocked {
		d.Blocked = append(d.Blocked, Block{b.Task.String(), string(b.Why)})
	}
	return d, nil
}

// occasion returns the pending occasion in words.
func occasion(v *cluster.Snapshot) (words []string) {
	o := v.View().Pending()
	for _, id := range o.Submitted {
		words = append(words, id.String()+" asks for a place")
	}
	if o.Ended {
		words = append(words, "something ended")
	}
	if o.NodesChanged {
		words = append(words, "nodes changed")
	}
	for _, kind := range due(o.Due) {
		words = append(words, fmt.Sprintf("the %v is due", kind))
	}
	if o.Empty() {
		words = append(words, "nothing is pending: as if the tick were due")
	}
	return words
}

// due returns the kinds of the alarms, each once.
func due(alarms []cluster.Alarm) (kinds []cluster.AlarmKind) {
	for _, a := range alarms {
		kinds = append(kinds, a.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// holds returns a job's placement for people, or "" if it holds nothing.
func holds(v *cluster.Snapshot, id cluster.JobID) string {
	p := v.Target(id)
	if p == nil {
		return ""
	}
	nodes := slices.DeleteFunc(slices.Clone(p.Nodes), func(n cluster.NodeID) bool { return n == 0 })
	var names []string
	for _, n := range slices.Sorted(slices.Values(nodes)) {
		names = append(names, v.Node(n).Name)
	}
	return fmt.Sprintf("%v on %s", p.Cap, strings.Join(names, " "))
}

func moved(v *cluster.Snapshot, s migrate.Step) Move {
	m := Move{Kind: s.Kind.String(), Task: s.Task.String()}
	if n := v.Node(s.From); n != nil {
		m.From = n.Name
	}
	if n := v.Node(s.To); n != nil {
		m.To = n.Name
	}
	if s.CPU > 0 {
		m.CPU = s.CPU.String()
	}
	for _, k := range s.After {
		m.After = append(m.After, k+1)
	}
	return m
}
