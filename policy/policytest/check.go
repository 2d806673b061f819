package policytest

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
)

// A Promise checks a decision on the view against a guarantee of a policy family and returns the violation.
type Promise func(v *cluster.View, d policy.Decision) error

// Check puts a policy to the laws, and to the promises of its family, on clusters that rapid draws.
func Check(t *testing.T, p policy.Policy, promises ...Promise) {
	t.Run("every decision is lawful", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			w := NewWorld(t, p)
			for _, s := range drawScript(t) {
				s.play(w, func() { w.decideLawfully(promises...) })
			}
		})
	})
	t.Run("the order of news within an instant does not matter", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			forwards, backwards := NewWorld(t, p), NewWorld(t, p)
			backwards.backwards = true
			for _, s := range drawScript(t) {
				for _, w := range []*World{forwards, backwards} {
					s.play(w, func() { w.Decide() })
				}
				if a, b := describe(forwards.TargetAll()), describe(backwards.TargetAll()); a != b {
					t.Fatalf("targets differ:\n%s\nand with news in reverse order\n%s", a, b)
				}
			}
		})
	})
	t.Run("an alarm of another family changes nothing", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkForeignAlarms(t, p) })
	})
	t.Run("on an idle, large enough cluster every job gets its full need", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { fullNeed(t, NewWorld(t, p)) })
	})
}

// CheckClasses puts a policy to the laws of single decisions, and to the promises, on clusters whose jobs are of all
// classes.
func CheckClasses(t *testing.T, p policy.Policy, promises ...Promise) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		w := NewWorld(t, p)
		for _, s := range drawScript(t) {
			if s.Spec.MinYield == 0 {
				s.Spec.Class = drawClass(t)
			}
			s.play(w, func() { w.decideLawfully(promises...) })
		}
	})
}

// CheckStandardFirst checks that standard jobs get what they would get if there were no others. The store is ample, all
// moves succeed at once, and no job of another class ends.
func CheckStandardFirst(t *testing.T, p policy.Policy) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		with, without := newCalm(t, p, false), newCalm(t, p, true)
		for _, s := range drawScript(t) {
			if s.Spec.MinYield == 0 {
				s.Spec.Class = drawClass(t)
			}
			with.play(s)
			without.play(s)
			for i, id := range without.standard {
				p, alone := with.Target(with.standard[i]), without.Target(id)
				if (p == nil) != (alone == nil) || p != nil && (places(p) != places(alone) || p.Grant != alone.Grant) {
					t.Fatalf("%v, a standard job, holds %+v, and without others %+v", with.standard[i], p, alone)
				}
			}
		}
	})
}

// calm is a World in which moves succeed at once, and standard jobs alone end.
type calm struct {
	*World
	alone    bool // it has no jobs of other classes
	standard []cluster.JobID
}

// newCalm returns a calm World. It begins after time zero, which means never: a job that ran from there on would count
// as started at the next move of any job.
func newCalm(t T, p policy.Policy, alone bool) *calm {
	w := &calm{World: NewWorld(t, p), alone: alone}
	w.Clock = cluster.Second
	return w
}

func (w *calm) play(s step) {
	switch s.Kind {
	case "submit":
		if s.Spec.Class != cluster.StandardClass && w.alone {
			return
		}
		if r := w.Submit(s.Spec); r.Rejection == nil && s.Spec.Class == cluster.StandardClass {
			w.standard = append(w.standard, r.Job)
		}
	case "end":
		if s.Pick < len(w.standard) && w.Job(w.standard[s.Pick]) != nil {
			s.steer(w.World, w.Job(w.standard[s.Pick]))
		}
	case "pass", "join":
		s.play(w.World, func() {})
	}
	w.Decide()
	w.Settle()
}

// CheckBriefly puts a policy to the laws of single decisions on a few numbered clusters. It is for families with many
// similar members.
func CheckBriefly(t *testing.T, p policy.Policy, scripts int, promises ...Promise) {
	t.Helper()
	for number := range scripts {
		w := NewWorld(t, p)
		for _, s := range rapid.Custom(drawScript).Example(number) {
			s.play(w, func() { w.decideLawfully(promises...) })
		}
	}
}

// CheckBlind checks that policies, one drawn for each cluster, decide the same whatever the users' estimates are.
// Estimates are all that a policy could know of run times.
func CheckBlind(t *testing.T, policies ...policy.Policy) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(policies).Draw(t, "policy")
		plain, scrambled := NewWorld(t, p), NewWorld(t, p)
		for _, s := range drawScript(t) {
			s.play(plain, func() { plain.Decide() })
			if s.Kind == "submit" {
				s.Spec.Estimate = cluster.Time(rapid.IntRange(1, 100).Draw(t, "estimate")) * cluster.Second
			}
			s.play(scrambled, func() { scrambled.Decide() })
			if a, b := describe(plain.TargetAll()), describe(scrambled.TargetAll()); a != b {
				t.Fatalf("targets differ:\n%s\nand with other estimates\n%s", a, b)
			}
		}
	})
}

// fullNeed submits jobs to a cluster with a node for each task.
func fullNeed(t *rapid.T, w *World) {
	specs := rapid.SliceOfN(rapid.Custom(drawSpec), 1, 5).Draw(t, "jobs")
	need, memory, tasks := cluster.CPU(0), cluster.Bytes(0), 0
	for _, s := range specs {
		need, memory, tasks = max(need, s.Need), max(memory, s.Requirement.Memory), tasks+s.Tasks
	}
	need = (need + cluster.Core - 1) / cluster.Core * cluster.Core // for policies that hand out whole cores
	for n := range tasks {
		w.Join(nodeName(n), cluster.Description{CPU: need, Memory: memory})
	}
	w.Clock = 7 * cluster.Second
	for _, s := range specs {
		s.Placement.Nodes, s.Network, s.Estimate = nil, cluster.NoNetwork, max(s.Estimate, cluster.Second)
		if r := w.Submit(s); r.Rejection != nil {
			t.Fatalf("%v", r.Rejection)
		}
	}
	w.decideLawfully()
	if tick := w.Agenda.Next(cluster.AlarmTick); tick != 0 {
		w.Clock = tick
		w.decideLawfully()
	}
	for j := range w.Jobs() {
		if p := w.Target(j.ID); p == nil || p.Cap != j.Spec.Need {
			t.Fatalf("%v, %d tasks of %v, holds %+v", j.ID, j.Spec.Tasks, j.Spec.Need, p)
		}
	}
}
