package reserve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
	"aliquot/scheduler"
)

const second = cluster.Second

// world is a Model with an oracle that knows the windows of jobs.
type world struct {
	*cluster.Model
	policy.Policy
	windows map[cluster.JobID]cluster.Window
	now     cluster.Time
}

type knowing struct {
	cluster.Oracle
	w *world
}

func (k knowing) Window(j *cluster.Job) cluster.Window { return k.w.windows[j.ID] }

func (k knowing) Condition(n *cluster.Node) cluster.Condition { return k.w.Model.Condition(n) }

func newWorld(t testing.TB, name string, nodes int) *world {
	p, err := New(name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Model: cluster.NewModel(), Policy: p, windows: map[cluster.JobID]cluster.Window{}}
	for n := range nodes {
		w.Join(fmt.Sprint("n", n+1), cluster.Description{CPU: 4 * cluster.Core, Memory: 1 << 34})
	}
	w.Consult(knowing{w: w})
	return w
}

func (w *world) submit(tasks int, window cluster.Window) cluster.JobID {
	spec := spec(tasks)
	spec.Owner, spec.Project, spec.Image = "ann", "p", "i@sha256:"+strings.Repeat("0", 64)
	id, _ := w.Submit(&spec)
	w.windows[id] = window
	return id
}

func spec(tasks int) cluster.Spec {
	return cluster.Spec{Tasks: tasks, Need: cluster.Core, Requirement: cluster.Requirement{Memory: 1 << 30},
		Estimate: second}
}

// decide adopts the policy's decision, if there is anything to decide, and returns it.
func (w *world) decide() (d policy.Decision, err error) {
	v := w.View()
	if v.Pending().Empty() {
		return policy.Decision{Target: v.TargetAll()}, nil
	}
	d = w.Decide(v)
	if err := w.Promise(d.Promise); err != nil {
		return d, err
	}
	if err := w.Adopt(scheduler.Adoption(v, v.Pending(), d)); err != nil {
		return d, err
	}
	return d, w.Check()
}

func TestInALiveClusterEveryJobIsRefusedWithAReason(t *testing.T) {
	p, _ := New("reserve/FF", nil, 0)
	w := policytest.NewWorld(t, p)
	w.Join("n1", cluster.Description{CPU: 4 * cluster.Core, Memory: 1 << 34})
	id := w.Submit(spec(1)).Job
	d := p.Decide(w.Look())
	if len(d.Refuse) != 1 || d.Refuse[0].Job != id || d.Refuse[0].Reason.Code != cluster.WhyNoPromises {
		t.Errorf("%+v", d.Refuse)
	}
}

func TestNamesAndParametersAreChecked(t *testing.T) {
	for _, rule := range Rules {
		if p, err := New(family+rule.String(), nil, 0); err != nil || p.rule != rule || p.String() != family+rule.String() {
			t.Errorf("%v: %v, %v", rule, p, err)
		}
	}
	if _, err := New("reserve/XX", nil, 0); err == nil {
		t.Error("an unknown name is accepted")
	}
	if _, err := New("reserve/FF", []string{"x=1"}, 0); err == nil {
		t.Error("a parameter is accepted")
	}
}

// On random clusters, after every command: no node is promised twice, a policy that decides for the first time decides
// the same, promised jobs start on their nodes at their time, and none has them longer than promised.
func TestAllKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rule := rapid.SampledFrom(Rules).Draw(r, "rule")
		w := newWorld(t, family+rule.String(), rapid.IntRange(1, 70).Draw(r, "nodes"))
		promised := map[cluster.JobID]cluster.Promise{}
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			w.step(r)
			fresh, _ := New(family+rule.String(), nil, 0)
			first, now := described(fresh.Decide(w.View())), described(w.Decide(w.View()))
			again := described(w.Decide(w.View()))
			if first != now || again != now {
				r.Fatalf("it decides\n%s\nthen\n%s\nand without a calendar\n%s", now, again, first)
			}
			d, err := w.decide()
			if err != nil {
				r.Fatal(err)
			}
			for _, p := range d.Promise {
				promised[p.Job] = p
				if q := w.windows[p.Job]; p.From < max(q.Ready, w.now) || p.Until-p.From != q.Lasts ||
					q.Deadline != 0 && p.Until > q.Deadline || len(p.Nodes) != w.View().Job(p.Job).Live() {
					r.Fatalf("%+v is promised for %+v", p, q)
				}
			}
			w.keeps(r, promised)
		}
	})
}

// described writes a decision down.
func described(d policy.Decision) string {
	text := fmt.Sprint(d.Promise, d.Refuse, d.Alarms)
	for id, p := range d.Target.All() {
		text += fmt.Sprintf(" %v on %v", id, p.Nodes)
	}
	return text
}

// step lets time pass up to the next alarm at most, and then something happen.
func (w *world) step(r *rapid.T) {
	w.now += cluster.Time(rapid.IntRange(0, 5).Draw(r, "pass")) * second
	if wake := w.View().WakeAt(); wake != 0 {
		w.now = min(w.now, wake)
	}
	w.Pass(w.now)
	switch what := rapid.IntRange(0, 9).Draw(r, "what"); {
	case what < 6:
		ready := w.now + cluster.Time(rapid.IntRange(0, 9).Draw(r, "ahead"))*second
		window := cluster.Window{Ready: ready, Lasts: cluster.Time(rapid.IntRange(1, 9).Draw(r, "lasts")) * second}
		if rapid.IntRange(0, 4).Draw(r, "open") > 0 {
			window.Deadline = ready + window.Lasts + cluster.Time(rapid.IntRange(0, 20).Draw(r, "slack"))*second
		}
		w.submit(rapid.IntRange(1, 8).Draw(r, "tasks"), window)
	case what < 8:
		for j := range w.View().Jobs() {
			if w.View().Target(j.ID) != nil || what == 7 {
				w.End(j.ID)
				break
			}
		}
	}
}

// keeps fails if a job that was promised nodes and has not ended is not where it should be.
func (w *world) keeps(r *rapid.T, promised map[cluster.JobID]cluster.Promise) {
	for j := range w.View().Jobs() {
		p, known := promised[j.ID]
		held := w.View().Target(j.ID)
		switch {
		case known && w.now >= p.Until:
			r.Fatalf("at %d: %v lasts longer than %+v", w.now, j.ID, p)
		case known && (held != nil) != (w.now >= p.From):
			r.Fatalf("at %d: %v holds %+v by %+v", w.now, j.ID, held, p)
		case known && held != nil && !slices.Equal(slices.Sorted(slices.Values(held.Nodes)), p.Nodes):
			r.Fatalf("at %d: %v holds %+v by %+v", w.now, j.ID, held, p)
		case !known:
			r.Fatalf("at %d: %v is neither promised anything nor refused", w.now, j.ID)
		}
	}
}

func TestALedgerFollowsChangesInsteadOfBuildingTheCalendarAnew(t *testing.T) {
	w := newWorld(t, "reserve/PE_W", 8)
	for i := range 30 {
		w.now += second
		w.Pass(w.now)
		id := w.submit(1+i%4, cluster.Window{Lasts: 3 * second, Deadline: w.now + 60*second})
		if _, err := w.decide(); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 && w.View().Job(id) != nil {
			w.End(id)
		}
	}
	if n := w.Policy.(Policy).ledger.rebuilt; n != 1 {
		t.Errorf("the calendar was built %d times", n)
	}
}

func TestANodeThatTakesNoTaskAtAPromisedStartCostsTheJobItsPromise(t *testing.T) {
	w := newWorld(t, "reserve/FF", 2)
	early := w.submit(1, cluster.Window{Ready: 10 * second, Lasts: 5 * second, Deadline: 15 * second})
	if _, err := w.decide(); err != nil || w.View().Promises().Of(early) == nil {
		t.Fatal(err)
	}
	w.SetNode(1, cluster.Drain)
	later := w.submit(2, cluster.Window{Ready: 20 * second, Lasts: 5 * second, Deadline: 25 * second})
	d, err := w.decide()
	if err != nil || len(d.Refuse) != 1 || d.Refuse[0].Job != later || d.Refuse[0].Reason.Code != cluster.WhyNotReserved {
		t.Fatalf("%+v, %v", d.Refuse, err)
	}
	w.now = 10 * second
	w.Pass(w.now)
	d, err = w.decide()
	if err != nil || len(d.Refuse) != 1 || d.Refuse[0].Reason.Code != cluster.WhyPromiseLost ||
		w.View().Promises().Of(early) != nil {
		t.Errorf("%+v, %v", d.Refuse, err)
	}
}

func TestAJobWithoutADeadlineWaitsForANodeToOpen(t *testing.T) {
	w := newWorld(t, "reserve/FF", 1)
	w.SetNode(1, cluster.Drain)
	id := w.submit(1, cluster.Window{Lasts: second})
	if d, err := w.decide(); err != nil || len(d.Refuse)+len(d.Promise) != 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	w.now = 5 * second
	w.Pass(w.now)
	w.SetNode(1, cluster.Uncordon)
	if _, err := w.decide(); err != nil || w.View().Target(id) == nil {
		t.Errorf("%v", err)
	}
}

func TestANodeThatIsTooSlowForAJobIsNotPromisedToIt(t *testing.T) {
	w := newWorld(t, family+"FF", 0)
	for n, speed := range []cluster.Speed{500, 0, 2000, 800} {
		w.Join(fmt.Sprint("n", n+1), cluster.Description{CPU: 4 * cluster.Core, Memory: 1 << 34, Speed: speed})
	}
	id := w.submit(2, cluster.Window{Lasts: cluster.Hour})
	if _, err := w.decide(); err != nil {
		t.Fatal(err)
	}
	if p := w.View().Target(id); p == nil || !slices.Equal(p.Nodes, []cluster.NodeID{2, 3}) {
		t.Errorf("two tasks of a whole core have %+v, want the nodes that are not slow", p)
	}
	w.submit(3, cluster.Window{Lasts: cluster.Hour})
	d, err := w.decide()
	if err != nil || len(d.Refuse) != 1 || d.Refuse[0].Reason.Code != cluster.WhyTooFewNodes {
		t.Errorf("three tasks on two nodes that are not slow: %+v, %v", d.Refuse, err)
	}
}
