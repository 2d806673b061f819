package dfrs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

// origins counts decisions by the way in which they were made.
type origins struct{ incremental, ended, explained, all int }

// sameAsAll checks that an increment decides, and explains, the same as the board of all.
func (s *origins) sameAsAll(p *Policy) policytest.Promise {
	return func(v *cluster.View, _ policy.Decision) error {
		s.all++
		if b := p.decideIncrement(v, false); b != nil {
			s.incremental++
			if v.Pending().Ended {
				s.ended++
			}
			all := p.decideAll(v)
			defer b.release()
			defer all.release()
			if diff := cmp.Diff(holdings(all.target()), holdings(b.target())); diff != "" {
				return fmt.Errorf("incrementally decided it differs: %s", diff)
			}
		}
		if b := p.decideIncrement(v, true); b != nil {
			s.explained++
			all := p.decideAll(v)
			defer b.release()
			defer all.release()
			if diff := cmp.Diff(told(p, all), told(p, b)); diff != "" {
				return fmt.Errorf("incrementally explained it differs: %s", diff)
			}
		}
		return nil
	}
}

func holdings(a cluster.Allocation) map[cluster.JobID]string {
	list := map[cluster.JobID]string{}
	for id, p := range a.All() {
		list[id] = fmt.Sprint(p.Grant, p.Nodes)
	}
	return list
}

// told returns the new reasons by job; their order does not matter.
func told(p *Policy, b *board) (list []string) {
	all := func(tell func(cluster.Reason) bool) { b.reasons(p.wake(b.view.At), tell) }
	for r := range policy.News(b.view, all) {
		list = append(list, fmt.Sprint(r.Job, r.Code, r.Values))
	}
	slices.Sort(list)
	return list
}

func TestAnIncrementDecidesAsTheBoardOfAll(t *testing.T) {
	for _, row := range table {
		t.Run(strings.ReplaceAll(row.name, "/", ":"), func(t *testing.T) {
			p, err := New(row.name, nil, 30*cluster.Second)
			if err != nil {
				t.Fatal(err)
			}
			s := &origins{}
			policytest.CheckBriefly(t, p, 200, s.sameAsAll(p))
			if p.incremental && s.incremental < s.all/20 || !p.incremental && s.incremental > 0 {
				t.Errorf("of %d decisions %d were incremental", s.all, s.incremental)
			}
		})
	}
}

func TestOnFullNodesAnIncrementDecidesAsTheBoardOfAll(t *testing.T) {
	c := &churn{policy: named(t, "GreedyPM */per")}
	rapid.Check(t, c.play)
}

func TestOnFullNodesAThirdOfDecisionsIsIncremental(t *testing.T) {
	c := &churn{policy: named(t, "GreedyPM */per")}
	for seed := range 100 {
		rapid.Custom(func(t *rapid.T) int { c.play(t); return c.all }).Example(seed)
	}
	if c.incremental < c.all/3 || c.ended < c.all/20 {
		t.Errorf("of %d decisions %d were incremental, %d of these when something had ended", c.all, c.incremental, c.ended)
	}
	t.Logf("of %d decisions %d were incremental, %d of these when something had ended", c.all, c.incremental, c.ended)
}

func named(t *testing.T, name string) *Policy {
	t.Helper()
	p, err := New(name, nil, cluster.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A churn submits and ends jobs of several tasks on a cluster with memory for many jobs and CPU for few.
type churn struct {
	origins
	policy *Policy
}

func (c *churn) play(t *rapid.T) {
	w := policytest.NewWorld(t, c.policy)
	for n := range rapid.IntRange(1, 6).Draw(t, "nodes") {
		w.Join(fmt.Sprint("n", n), cluster.Description{CPU: cluster.CPU(rapid.IntRange(5, 20).Draw(t, "cpu")) * 100,
			Memory: 1000 * cluster.MiB})
	}
	for range rapid.IntRange(1, 30).Draw(t, "jobs") {
		w.Clock += cluster.Second
		w.Submit(cluster.Spec{
			Tasks: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: cluster.CPU(rapid.IntRange(1, 1500).Draw(t, "need")),
			Requirement: cluster.Requirement{Memory: cluster.Bytes(rapid.IntRange(16, 60).Draw(t, "memory")) * cluster.MiB},
			Placement:   cluster.Constraint{Spread: rapid.IntRange(0, 4).Draw(t, "spread") == 0},
		})
		if j := w.Job(cluster.JobID(rapid.IntRange(1, 90).Draw(t, "end"))); j != nil && j.Tasks[0].Present() {
			w.End(cluster.TaskID{Job: j.ID})
		}
		if j := w.Job(cluster.JobID(rapid.IntRange(1, 90).Draw(t, "cancel"))); j != nil && j.Ending == nil {
			w.Do(cluster.Cancel{Job: j.ID})
		}
		if v := w.Look(); !v.Pending().Empty() {
			if err := c.sameAsAll(c.policy)(v, policy.Decision{}); err != nil {
				t.Fatal(err)
			}
		}
		w.DecideWhile(func() { c.interfere(t, w) })
		w.Settle()
	}
}

// interfere applies user commands while the policy decides.
func (c *churn) interfere(t *rapid.T, w *policytest.World) {
	j := w.Job(cluster.JobID(rapid.IntRange(1, 30).Draw(t, "meanwhile")))
	if j == nil || j.Ending != nil {
		return
	}
	switch rapid.IntRange(0, 5).Draw(t, "what") {
	case 0:
		w.Do(cluster.Cancel{Job: j.ID})
	case 1:
		w.Do(cluster.Hold{Job: j.ID})
	case 2:
		w.Do(cluster.Enact{Basis: w.Revision, Decision: cluster.Adopt{Drop: []cluster.JobID{j.ID}}})
	case 3:
		nodes := slices.Repeat([]cluster.NodeID{1}, len(j.Tasks))
		w.Do(cluster.Enact{Basis: w.Revision,
			Decision: cluster.Adopt{By: "a person",
				Set: []cluster.Holding{{Job: j.ID, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(100),
					Nodes: nodes}}}}})
	}
}
