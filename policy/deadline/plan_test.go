package deadline

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

const second = cluster.Second

// course drives a plan through time. Everything goes as planned, except that jobs may end early.
type course struct {
	*rapid.T
	*Plan
	now  cluster.Time
	runs []Run
	ends map[cluster.JobID]cluster.Time
	next cluster.JobID
}

func newCourse(t *rapid.T) *course {
	nodes := rapid.IntRange(1, 9).Draw(t, "nodes")
	return &course{T: t, Plan: NewPlan(0, nodes, nodes, nil, nil), ends: map[cluster.JobID]cluster.Time{}, next: 1}
}

// ask submits a job and reports whether it is admitted.
func (c *course) ask() bool {
	lasts := second * cluster.Time(rapid.IntRange(1, 12).Draw(c.T, "lasts"))
	ready := c.now + second*cluster.Time(rapid.IntRange(0, 15).Draw(c.T, "ahead"))
	j := &Job{ID: c.next, Tasks: rapid.IntRange(1, c.Nodes).Draw(c.T, "tasks"), Ready: ready, Lasts: lasts,
		Floor:    rapid.SampledFrom([]int{1, 1, 1, Quarters}).Draw(c.T, "floor"),
		Deadline: ready + lasts + second*cluster.Time(rapid.IntRange(0, 20).Draw(c.T, "slack"))}
	c.next++
	trial, kept := c.Try(j)
	if kept {
		c.Accept(trial)
		if j.Ready <= c.now {
			c.runs = slices.Clone(c.steps[0].runs)
		}
	}
	return kept
}

// pass goes to a time, or to the next event if that is earlier.
func (c *course) pass(to cluster.Time) {
	runs, until := c.Levels()
	to = min(to, until)
	c.runs = c.runs[:0]
	for _, r := range runs {
		if r.pass(c.now, to); r.Left > 0 {
			c.runs = append(c.runs, r)
		} else if to > r.Deadline {
			c.Fatalf("job %d ends at %d, after its deadline %d", r.ID, to, r.Deadline)
		}
	}
	for _, j := range c.coming {
		if j.Ready > c.now && j.Ready <= to {
			s := step{runs: c.runs}
			s.enter(j.fresh())
			c.runs = s.runs
		}
	}
	c.now = to
	c.Follow(to, slices.Clone(c.runs))
}

// same fails unless the plan is that which is made anew.
func (c *course) same() {
	anew := NewPlan(c.now, c.Nodes, c.All, slices.Clone(c.runs), slices.Clone(c.coming))
	if anew.Late || c.Late || !slices.EqualFunc(anew.steps, c.steps, (*step).equal) {
		c.Fatalf("at %d the plan is late: %v; made anew it is: %v", c.now, c.Late, anew.Late)
	}
}

func TestAllThatIsAdmittedEndsInTimeHoweverOftenThePlanIsAsked(t *testing.T) {
	admitted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := newCourse(t)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch {
			case rapid.IntRange(0, 2).Draw(t, "what") > 0:
				if c.ask() {
					admitted++
				} else {
					refused++
				}
			case len(c.runs) > 0 && rapid.Bool().Draw(t, "early"):
				c.runs = slices.Delete(slices.Clone(c.runs), 0, 1)
				c.Follow(c.now, slices.Clone(c.runs))
			default:
				c.pass(c.now + second*cluster.Time(rapid.IntRange(1, 9).Draw(t, "pass")))
			}
			if c.same(); !flowKeeps(c.now, c.Nodes, c.runs, c.coming) {
				t.Fatal("the exact test says that a deadline is missed")
			}
		}
		for len(c.runs)+len(c.coming) > 0 {
			c.pass(Never)
		}
	})
	if admitted < refused/9 || refused < admitted/9 {
		t.Errorf("%d admitted, %d refused", admitted, refused)
	}
}

func TestTheLevelsOfAStepFitOnItsNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 9).Draw(t, "nodes")
		var runs []Run
		for i := range rapid.IntRange(1, 12).Draw(t, "runs") {
			j := &Job{ID: cluster.JobID(i), Floor: 1, Tasks: rapid.IntRange(1, 9).Draw(t, "tasks")}
			runs = append(runs, Run{Job: j, Left: 1})
		}
		fill(runs, 0, room{nodes, nodes, nodes}, false)
		free := slices.Repeat([]int{Quarters}, nodes)
		for level := Quarters; level > 0; level-- {
			for i := range runs {
				for left := runs[i].Tasks; left > 0 && runs[i].Level == level; left-- {
					n := slices.IndexFunc(free, func(f int) bool { return f >= level })
					if n < 0 {
						t.Fatalf("no node has %d quarters left for job %d", level, i)
					}
					free[n] -= level
				}
			}
		}
	})
}
