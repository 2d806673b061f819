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

// Unknown is the error of a policy's name.
type Unknown struct{ error }

// Unwrap returns the error itself.
func (u Unknown) Unwrap() error { return u.error }

// Decision is a decision with what led to it and what follows.
type Decision struct {
	Revision uint64   `json:"revision"`
	Policy   string   `json:"policy"`
	Occasion []string `json:"occasion"`
	Jobs     []Job    `json:"jobs"`
	Moves    []Move   `json:"moves"`
	Blocked  []Block  `json:"blocked,omitempty"`
	Weighed  string   `json:"weighed,omitempty"` // the best plan for running jobs, and what it is worth
}

// Job is what changes for a job, or why nothing does.
type Job struct {
	Job    string `json:"job"`
	Before string `json:"before,omitempty"` // like 500m on n1 n2; empty: nothing
	After  string `json:"after,omitempty"`
	Why    string `json:"why"`
}

// Move is a move of the plan that follows.
type Move struct {
	Kind  string `json:"kind"`
	Task  string `json:"task"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	CPU   string `json:"cpu,omitempty"`
	After []int  `json:"after,omitempty"` // numbers of moves, from 1
}

// Block is a task that the plan cannot change for now, and why.
type Block struct {
	Task string `json:"task"`
	Why  string `json:"why"`
}

// Decide replays the decision of a saved view, by the policy of that name. What is pending is decided or, if nothing is, the
// periodic tick. It fails with [Unknown] if there is no such policy.
func Decide(v *cluster.Snapshot, name string) (*Decision, error) {
	p, err := catalog.Parse(name, v.Policy.Period)
	if err != nil {
		return nil, Unknown{err}
	}
	preview, err := scheduler.Foresee(v, scheduler.Hypothesis{}, func(cluster.PolicyChoice) (policy.Policy, error) { return p, nil })
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

// occasion returns in words what is pending.
func occasion(v *cluster.Snapshot) (words []string) {
	o := v.View().Pending()
	for _, id := range o.Submitted {
		words = append(words, id.String()+" asks for a place")
	}
	for _, kind := range []struct {
		is   bool
		word string
	}{{o.Ended, "something ended"}, {o.NodesChanged, "nodes changed"}, {o.Rings(cluster.AlarmTick), "the tick is due"}, {o.Empty(), "nothing is pending: as if the tick were due"}} {
		if kind.is {
			words = append(words, kind.word)
		}
	}
	return words
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
	return fmt.Sprintf("%v on %s", p.CPU, strings.Join(names, " "))
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
