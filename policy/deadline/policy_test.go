package deadline

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/scheduler"
)

func TestNamesAndParametersAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "reserve/shares",
		"theta=0.7":            "reserve/shares",
		"theta=0/withheld=0.1": "reserve/shares/theta=0/withheld=0.1",
		"withheld=0.07":        "reserve/shares/withheld=0.07",
	} {
		if p, err := New(Name, fields(text), 0); err != nil || p.String() != want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"theta=-1", "theta=x", "theta=-0", "withheld=-0", "withheld=1", "delta=1",
		"theta=1/theta=1"} {
		if _, err := New(Name, fields(text), 0); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestAPartOfTheNodesIsPlannedExactly(t *testing.T) {
	for text, want := range map[string]int{"withheld=0.9": 1, "withheld=0.7": 3, "withheld=0.1": 9, "withheld=0": 10,
		"withheld=0.05": 9} {
		p, err := New(Name, []string{text}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d := (decision{Policy: p, all: 10}); d.planned() != want {
			t.Errorf("%s plans %d of 10 nodes, not %d", text, d.planned(), want)
		}
	}
}

func TestLevelsAreReadBackFromTheirShares(t *testing.T) {
	for need := cluster.CPU(1); need < 200; need++ {
		s := cluster.Spec{Need: need}
		for level := floorOf(&s); level <= Quarters; level++ {
			if share := shareOf(level, &s); share < s.MinShare() || levelOf(share, need) != level {
				t.Errorf("of %d, level %d is %d, which is level %d", need, level, share, levelOf(share, need))
			}
		}
	}
	if one, two := floorOf(&cluster.Spec{Need: 20}), floorOf(&cluster.Spec{Need: 4000}); one != 2 || two != 1 {
		t.Errorf("floors %d and %d", one, two)
	}
}

func TestWhereNoNodeIsOpenADeadlineCannotBeKept(t *testing.T) {
	w := newWorld(t, 1)
	w.shut = true
	w.submit(1, 1<<30, cluster.Hour, 2*cluster.Hour)
	if w.decide(t.Fatal); w.refused[cluster.WhyNotReserved] != 1 {
		t.Errorf("%v", w.refused)
	}
}

func fields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
}

// world is a Model that knows the windows of its jobs and ends them when they have had their time.
type world struct {
	*cluster.Model
	policy.Policy
	windows map[cluster.JobID]cluster.Window
	now     cluster.Time
	refused map[cluster.ReasonCode]int
	shut    bool // no node takes tasks
}

type knowing struct {
	cluster.Oracle
	w *world
}

func (k knowing) Window(j *cluster.Job) cluster.Window { return k.w.windows[j.ID] }

func (k knowing) Condition(n *cluster.Node) cluster.Condition {
	if k.w.shut {
		return cluster.NodeClosed
	}
	return k.w.Model.Condition(n)
}

func (k knowing) Cost(*cluster.Job) cluster.Cost { return cluster.Cost{} }

func newWorld(t interface{ Fatal(...any) }, nodes int, parameters ...string) *world {
	p, err := New(Name, parameters, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{cluster.NewModel(), p, map[cluster.JobID]cluster.Window{}, 0, map[cluster.ReasonCode]int{}, false}
	for n := range nodes {
		w.Join(fmt.Sprint("n", n+1), cluster.Description{CPU: 4 * cluster.Core, Memory: 1 << 34})
	}
	w.Consult(knowing{w: w})
	return w
}

// submit submits a job that is to be done within a time from now on.
func (w *world) submit(tasks int, memory cluster.Bytes, lasts, within cluster.Time) cluster.JobID {
	spec := cluster.Spec{Owner: "ann", Project: "p", Image: "i@sha256:" + strings.Repeat("0", 64), Tasks: tasks,
		Need: 4 * cluster.Core, Requirement: cluster.Requirement{Memory: memory}}
	id, _ := w.Submit(&spec)
	w.windows[id] = cluster.Window{Ready: w.now, Deadline: w.now + within, Lasts: lasts}
	return id
}

// decide adopts the policy's decision. A decision with a plan made anew must be the same.
func (w *world) decide(fatal func(...any)) {
	v := w.View()
	if v.Pending().Empty() {
		return
	}
	own := w.Policy.(Policy)
	fresh := Policy{own.theta, own.withheld, &book{}}
	d, again := w.Decide(v), fresh.Decide(v)
	if described(d) != described(again) {
		fatal("it decides\n", described(d), "\nand with a plan made anew\n", described(again))
	}
	for _, r := range d.Refuse {
		w.refused[r.Reason.Code]++
	}
	if err := w.Promise(d.Promise); err != nil {
		fatal(err)
	}
	if err := w.Adopt(scheduler.Adoption(v, v.Pending(), d)); err != nil {
		fatal(err)
	}
	if err := w.Check(); err != nil {
		fatal(err)
	}
}

func described(d policy.Decision) string {
	text := fmt.Sprint(d.Promise, d.Refuse, d.Alarms)
	for id, p := range d.Target.All() {
		text += fmt.Sprintf(" %v: %v on %v", id, p.Cap, p.Nodes)
	}
	return text
}

// pass goes to a time, but not beyond the next end of a job or alarm, and ends the jobs that have had their time.
func (w *world) pass(to cluster.Time, fatal func(...any)) {
	done := func(j *cluster.Job) bool {
		return j.VirtualParts(Quarters, w.now) >= Quarters*int64(w.windows[j.ID].Lasts)
	}
	for j := range w.View().Jobs() {
		if at, ever := j.Clock.Reaches(w.windows[j.ID].Lasts, j.Spec.Need); ever {
			to = min(to, at)
		}
	}
	if wake := w.View().WakeAt(); wake != 0 {
		to = min(to, wake)
	}
	w.now = max(w.now, to)
	w.Pass(w.now)
	for id, window := range w.windows {
		if j := w.View().Job(id); j != nil && done(j) {
			w.End(id)
			if w.now > window.Deadline {
				fatal(id, "ends at", w.now, "by", window)
			}
		}
	}
	w.decide(fatal)
}

func TestEveryAdmittedJobIsDoneByItsDeadlineOnRealNodes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		theta := rapid.SampledFrom([]string{"theta=0", "theta=0.001"}).Draw(r, "θ")
		w := newWorld(r, rapid.IntRange(1, 9).Draw(r, "nodes"), theta)
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			if rapid.Bool().Draw(r, "submit") {
				lasts := second * cluster.Time(rapid.IntRange(1, 9).Draw(r, "lasts"))
				w.submit(rapid.IntRange(1, 9).Draw(r, "tasks"), cluster.Bytes(rapid.IntRange(1, 2).Draw(r, "memory"))<<31, lasts,
					lasts+second*cluster.Time(rapid.IntRange(0, 20).Draw(r, "slack")))
				w.decide(r.Fatal)
			} else {
				w.pass(w.now+second*cluster.Time(rapid.IntRange(1, 9).Draw(r, "pass")), r.Fatal)
			}
		}
		for i := 0; w.View().TargetAll().Len() > 0; i++ {
			if w.pass(Never, r.Fatal); i > 1000 {
				r.Fatal("jobs never end")
			}
		}
		if w.refused[cluster.WhyCut]+w.refused[cluster.WhyPromiseLost] > 0 {
			r.Fatal("jobs are cut")
		}
	})
}

func TestAJobThatWouldTakeABusyTimeIsRefusedForItsPrice(t *testing.T) {
	w := newWorld(t, 4, "theta=0.1")
	w.submit(4, 1<<30, cluster.Hour, 2*cluster.Hour)
	w.submit(1, 1<<30, cluster.Minute, 2*cluster.Minute)
	if w.decide(t.Fatal); w.refused[cluster.WhyTooDear] != 1 || w.View().Target(2) == nil {
		t.Errorf("%v", w.refused)
	}
}

func TestAJobThatIsNotDoneAfterItsTimeIsCut(t *testing.T) {
	w := newWorld(t, 1, "theta=0")
	w.submit(1, 1<<30, second, 3*second)
	w.decide(t.Fatal)
	w.now = w.View().WakeAt()
	w.Pass(w.now)
	if w.decide(t.Fatal); w.refused[cluster.WhyCut] != 1 || w.now != second {
		t.Errorf("at %v: %v", w.now.Seconds(), w.refused)
	}
}

func TestNothingIsPromisedThatASlowNodeCannotDo(t *testing.T) {
	for speed, refused := range map[cluster.Speed]int{1500: 0, 500: 1} {
		w := newWorld(t, 2)
		w.Join("n3", cluster.Description{CPU: 4 * cluster.Core, Memory: 1 << 34, Speed: speed})
		w.submit(1, 1<<30, cluster.Hour, 2*cluster.Hour)
		w.decide(t.Fatal)
		if got := w.refused[cluster.WhyTooFewNodes]; got != refused {
			t.Errorf("with a node of speed %v it refuses %d jobs of whole nodes, want %d", speed, got, refused)
		}
	}
}
