package cluster

import (
	"strings"
	"testing"
)

func TestASpeedIsReadAsItIsWritten(t *testing.T) {
	for _, text := range []string{"0.05", "0.8", "1", "1.25", "10"} {
		if v, err := ParseSpeed(text); err != nil || v.String() != text {
			t.Errorf("%s reads as %v, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "0", "0.049", "10.001", "-1", "1.2345", "fast"} {
		if v, err := ParseSpeed(text); err == nil {
			t.Errorf("%q reads as %v", text, v)
		}
	}
}

func TestATaskUsesNoMoreOfASlowNodeThanItsVCPUsCanDo(t *testing.T) {
	for _, c := range []struct {
		speed      Speed
		need, most CPU
	}{
		{0, 1500, 1500}, {1000, 1500, 1500}, {2000, 1500, 1500},
		{500, 1000, 500}, {500, 500, 500}, {500, 300, 300}, {800, 1500, 1500}, {700, 1500, 1400},
	} {
		if got := c.speed.Ceiling(c.need); got != c.most {
			t.Errorf("at %v, a task that needs %v uses %v, want %v", c.speed, c.need, got, c.most)
		}
	}
}

// On a node of half the speed, a cap of more than half a core would be a promise that nobody can keep.
func TestACapIsAtMostWhatTheSlowestNodeAllows(t *testing.T) {
	m := NewModel()
	for _, n := range []struct {
		name  string
		speed Speed
	}{{"fast", 2000}, {"usual", 0}, {"slow", 500}} {
		m.Join(n.name, Description{CPU: 4000, Memory: 1024 * MiB, Speed: n.speed})
	}
	spec := specimen()
	spec.Tasks, spec.Need, spec.Requirement.Memory = 2, 1000, 64*MiB
	id, refusal := m.Submit(spec)
	if refusal != nil {
		t.Fatal(refusal)
	}
	for _, c := range []struct {
		nodes []NodeID
		cap   CPU
	}{{[]NodeID{1, 2}, 1000}, {[]NodeID{1, 3}, 500}, {[]NodeID{3, 3}, 500}} {
		a := Adopt{Set: []Holding{{id, Placement{Grant: Foreground.Grant(1000), Nodes: c.nodes}}}}
		if err := m.Adopt(a); err != nil {
			t.Fatal(err)
		}
		if p := m.View().Target(id); p.Grant != Foreground.Grant(c.cap) {
			t.Errorf("on nodes %v each task has %+v, want %v", c.nodes, p.Grant, c.cap)
		}
		if rate := m.View().Job(id).Clock.Share; rate != c.cap {
			t.Errorf("on nodes %v the job progresses with %v, want %v", c.nodes, rate, c.cap)
		}
	}
}

func TestANodeThatIsSlowerThanATaskWantsIsNotTooSmallForIt(t *testing.T) {
	m := NewModel()
	m.Join("slow", Description{CPU: 500, Memory: 1024 * MiB, Speed: 500})
	spec := specimen()
	spec.Tasks, spec.Need, spec.Requirement.Memory = 1, 1000, 64*MiB
	if _, refusal := m.Submit(spec); refusal != nil {
		t.Errorf("refused: %v", refusal)
	}
	spec.Need = 1001 // two vCPUs, which would use 1000m
	if _, refusal := m.Submit(spec); refusal == nil || refusal.Code != CodeNeedsMoreCPU {
		t.Errorf("a task of two vCPUs is answered by %v on a node of one core", refusal)
	}
}

func TestANodeThatBecomesSlowerCutsTheCapsOfItsJobs(t *testing.T) {
	w := newPromised(t)
	a, b := w.node("a", 2000), w.node("b", 2000)
	on := map[JobID][]NodeID{w.submit(w.spec(2, 1000, nil)): {a, b}, w.submit(w.spec(1, 1000, nil)): {b}}
	for id, nodes := range on {
		w.do(Adopt{Set: []Holding{{id, Placement{Grant: Foreground.Grant(1000), Nodes: nodes}}}})
	}
	w.do(Join{"a", "boot", Description{CPU: 2000, Memory: 1 << 34, Speed: 500}, 0})
	for id, nodes := range on {
		want := CPU(1000)
		if nodes[0] == a {
			want = 500
		}
		if got := w.s.Target(id).Grant; got != Foreground.Grant(want) {
			t.Errorf("on nodes %v: %+v, want %v", nodes, got, want)
		}
	}
	if got := w.s.Node(a).Load.Guaranteed; got != 500 {
		t.Errorf("the slower node guarantees %v", got)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAPromiseLeavesANodeThatBecomesTooSlowForIt(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 2000)
	id := w.submit(w.spec(1, 1000, &Reservation{Hour, Hour}))
	b := w.node("b", 2000)
	w.do(Join{"a", "boot", Description{CPU: 2000, Memory: 1 << 34, Speed: 500}, 0})
	if p := w.s.PromiseTo(id); p.Broken() || p.Nodes[0] != b {
		t.Errorf("promised node %d, slow, with %d idle: %+v", a, b, p)
	}
	w.do(Join{"b", "boot", Description{CPU: 2000, Memory: 1 << 34, Speed: 500}, 0})
	if p := w.s.PromiseTo(id); !p.Broken() {
		t.Errorf("promised although both nodes are slow: %+v", p)
	}
}

func TestASpeedTellsItsSource(t *testing.T) {
	for _, c := range []struct {
		speed, measured Speed
		want            SpeedSource
	}{{0, 0, Assumed}, {1000, 0, Declared}, {800, 0, Declared}, {0, 1350, Assumed}, {0, 1000, Assumed},
		{1350, 1350, Measured}, {1000, 1000, Measured}} {
		if got := (&Description{Speed: c.speed, Measured: c.measured}).SpeedSource(); got != c.want {
			t.Errorf("speed %v where %v is measured is %v, want %v", c.speed, c.measured, got, c.want)
		}
	}
}

// A replica of an older program could not read it, and nobody may poison the state with it.
func TestAMeasuredSpeedNeedsItsFormatAndBounds(t *testing.T) {
	s := New([16]byte{}, PolicyChoice{})
	s.Format = benchmarks - 1
	join := Join{Name: "a", Boot: "boot", Description: Description{CPU: 1000, Memory: 1 << 30, Measured: 1350}}
	if r := s.Unready(join); r == nil || !strings.Contains(r.Detail, "format 10") {
		t.Errorf("below its format: %+v", r)
	}
	if a := Within(join, benchmarks-1).(Join); s.Unready(a) != nil || a.Description.CPU != 1000 {
		t.Errorf("a monitor joins as %+v", a.Description)
	}
	s.Format = LatestFormat
	for measured, fine := range map[Speed]bool{-1: false, 1: false, MinSpeed: true, MaxSpeed: true, MaxSpeed + 1: false} {
		join.Description.Measured = measured
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: join}).Rejection
		if (r == nil) != fine {
			t.Errorf("%d is measured: %+v", measured, r)
		}
	}
}
