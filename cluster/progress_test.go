package cluster

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestOnlyReportsThatCanBeTrueSayHowARunGetsOn(t *testing.T) {
	const vcpus = 2
	at := func(ran, waited Time) Progress {
		return Progress{Work: Work{ran * Second, waited * Second}, At: 1000 * Second}
	}
	seen := func(p Progress, steal Parts) Progress {
		p.Observed, p.Steal = true, steal
		return p
	}
	for _, c := range []struct {
		name        string
		before      Progress
		ran, waited Time // in seconds, as all here
		tier        Tier
		after       Time
		want        Progress
	}{
		{"the first report is a beginning", Progress{}, 100, 50, Foreground, 0, at(100, 50)},
		{"a busy run on an idle host", at(100, 50), 160, 50, Foreground, 60, seen(at(160, 50), 0)},
		{"a busy run gets a third of what its cap allows", at(100, 50), 120, 90, Foreground, 60, seen(at(120, 90), 666_666)},
		{"a run gets nothing", at(100, 50), 100, 110, Foreground, 60, seen(at(100, 110), Whole)},
		{"an idle guest", seen(at(100, 50), 500_000), 100, 50, Foreground, 60, seen(at(100, 50), 0)},
		{"a nearly idle guest that waits as long as it runs", at(0, 0), 1, 1, Foreground, 110, seen(at(1, 1), 0)},
		{"the same within a shorter time", at(0, 0), 1, 1, Foreground, 60, seen(at(1, 1), 500_000)},
		{"two reports too close together", seen(at(100, 50), 250_000), 105, 50, Foreground, 9, seen(at(100, 50), 250_000)},
		{"another tier", seen(at(100, 50), 250_000), 160, 50, Background, 60, Progress{Work: Work{160 * Second, 50 * Second},
			Tier: Background, At: 1060 * Second}},
		{"CPU time goes back", seen(at(100, 50), 250_000), 99, 50, Foreground, 60, at(99, 50)},
		{"waiting goes back", seen(at(100, 50), 250_000), 160, 0, Foreground, 60, at(160, 0)},
		{"negative", seen(at(100, 50), 250_000), -1, 50, Foreground, 60, Progress{}},
		{"negative waiting", seen(at(100, 50), 250_000), 100, -1, Foreground, 60, Progress{}},
		{"as much as two virtual CPUs can have, reported late", at(0, 0), 240, 0, Foreground, 60, seen(at(240, 0), 0)},
		{"more than that", at(0, 0), 241, 0, Foreground, 60, at(241, 0)},
		{"more waiting than that", at(0, 0), 0, 241, Foreground, 60, at(0, 241)},
		{"more than that together", at(0, 0), 120, 121, Foreground, 60, at(120, 121)},
	} {
		if c.want.At == 1000*Second {
			c.want.At += c.after * Second
		}
		if c.want.Observed {
			ready := c.want.Work.Ran + c.want.Work.Waited - c.before.Work.Ran - c.before.Work.Waited
			c.want.Used = min(vcpus*Core, CPU(ready/c.after/1000))
		}
		if c.name == "two reports too close together" {
			c.want.At, c.want.Used = 1000*Second, c.before.Used
		}
		got := c.before.After(Work{c.ran * Second, c.waited * Second}, c.tier, (1000+c.after)*Second, vcpus)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestNoReportMakesMoreOrLessProgressThanThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Progress
		number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, int64(1000*Minute)))
		for now := Time(1); now < 100*Minute; now += Time(rapid.Int64Range(0, int64(5*Minute)).Draw(t, "passes")) + 1 {
			w := Work{Time(number.Draw(t, "ran")), Time(number.Draw(t, "waited"))}
			p = p.After(w, Tier(rapid.IntRange(0, 1).Draw(t, "tier")), now, rapid.IntRange(0, 1024).Draw(t, "vcpus"))
			if p.Steal < 0 || p.Steal > Whole || p.Steal != 0 && !p.Observed || p.Work.Ran < 0 || p.Work.Waited < 0 {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func TestAClockReachesAVirtualTimeInTheFirstMicrosecondThatHasIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		need := CPU(rapid.Int64Range(1, int64(maxNeed)).Draw(t, "need"))
		c := Clock{
			Virtual:   Time(rapid.Int64Range(0, int64(Hour)).Draw(t, "virtual")),
			Remainder: rapid.Int64Range(0, int64(need)-1).Draw(t, "remainder"),
			At:        Time(rapid.Int64Range(0, int64(Hour)).Draw(t, "at")),
			Share:     CPU(rapid.Int64Range(0, int64(need)).Draw(t, "share")),
			Steal:     Parts(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, int64(Whole))).Draw(t, "steal")),
		}
		goal := Time(rapid.Int64Range(0, int64(1000*Hour)).Draw(t, "goal"))
		at, ever := c.Reaches(goal, need)
		switch rate := int64(c.Share) * int64(Whole-c.Steal); {
		case !ever && goal <= c.Virtual, !ever && rate > int64(need):
			t.Fatalf("%+v never reaches %v", c, goal)
		case ever && c.at(at, need).Virtual < goal, ever && at > c.At && c.at(at-1, need).Virtual >= goal:
			t.Fatalf("%+v reaches %v at %d", c, goal, at)
		}
	})
}

// A clock that is settled often loses less than a microsecond per need and settlement to one with fractions of any
// size.
func TestAClockIntegratesWhatIsNotStolen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		need := CPU(rapid.Int64Range(1, 64_000).Draw(t, "need"))
		var c Clock
		exact, spans := new(big.Rat), rapid.IntRange(1, 50).Draw(t, "spans")
		for range spans {
			c.Share = CPU(rapid.Int64Range(0, int64(need)).Draw(t, "share"))
			c.Steal = Parts(rapid.Int64Range(0, int64(Whole)).Draw(t, "steal"))
			d := rapid.Int64Range(0, int64(Hour)).Draw(t, "passes")
			rate := new(big.Rat).SetFrac(big.NewInt(int64(c.Share)*int64(Whole-c.Steal)), big.NewInt(int64(need)*int64(Whole)))
			exact.Add(exact, rate.Mul(rate, new(big.Rat).SetInt64(d)))
			c = c.at(c.At+Time(d), need)
		}
		have := new(big.Rat).SetFrac(big.NewInt(int64(c.Virtual)*int64(need)+c.Remainder), big.NewInt(int64(need)))
		lost := exact.Sub(exact, have)
		if lost.Sign() < 0 || lost.Cmp(new(big.Rat).SetFrac64(int64(spans), int64(need))) >= 0 {
			t.Fatalf("%+v lost %v in %d spans", c, lost, spans)
		}
	})
}

// observed is a cluster of one node with one job of two tasks that runs there with half its need.
type observed struct {
	*testing.T
	s *State
}

func observing(t *testing.T, format uint32, tier Tier) *observed {
	w := &observed{t, New([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	w.s.Format = format
	w.do(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	w.do(Claim{Replica: 1, Term: 1})
	w.do(Join{"n1", "boot", Description{CPU: 4000, Memory: 1000 * MiB}, 0})
	w.do(Submit{Spec: &Spec{Owner: "root", Project: "default", Image: testImage, Tasks: 2, Need: 1000,
		Requirement: Requirement{16 * MiB}}})
	w.do(StartMoves{[]Move{
		{Kind: Start, Task: TaskID{1, 0}, To: 1, CPU: 500, Tier: tier}, {Kind: Start, Task: TaskID{1, 1}, To: 1, CPU: 500,
			Tier: tier},
	}})
	w.report(w.sees(0, tier, nil), w.sees(1, tier, nil))
	return w
}

func (w *observed) do(a Action) {
	w.Helper()
	if r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now + Second, Actor: root, Epoch: w.s.Epoch,
		Action: a}); r.Rejection != nil {
		w.Fatalf("%T: %v", a, r.Rejection)
	}
	if err := w.s.Check(); err != nil {
		w.Fatal(err)
	}
}

// sees is the observation of a task that runs with its cap.
func (w *observed) sees(index int, tier Tier, work *Work) Observation {
	run := RunID{1, index, 1}
	o := Observation{Run: run, Seen: SeenRunning, Cap: 500, Tier: tier, Tiered: true, Work: work}
	if m := w.s.Move(run.Task()); m != nil {
		o.Move = m.ID
	}
	return o
}

func (w *observed) report(seen ...Observation) {
	w.Helper()
	w.do(Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB, Observations: seen})
}

// reports lets a minute pass and reports the sums of work of the two tasks, which are given in seconds.
func (w *observed) reports(tier Tier, sums [2]Work) {
	w.Helper()
	w.s.Now += 59 * Second
	for i := range sums {
		sums[i].Ran, sums[i].Waited = sums[i].Ran*Second, sums[i].Waited*Second
	}
	w.report(w.sees(0, tier, &sums[0]), w.sees(1, tier, &sums[1]))
}

// rate is the rate of progress and the virtual time that the next 100 seconds bring.
func (w *observed) rate() (Parts, Source, Time) {
	j := w.s.Job(1)
	rate, source := j.Rate()
	return rate, source, j.VirtualTime(w.s.Now+100*Second) - j.VirtualTime(w.s.Now)
}

func (w *observed) expect(rate Parts, source Source) {
	w.Helper()
	got, from, gain := w.rate()
	if got != rate || from != source || (gain-Time(rate)*100).Words() != "0 s" {
		w.Errorf("rate %d from %q gains %v, want %d from %q", got, from, gain, rate, source)
	}
}

func TestAJobIsCreditedWithWhatItsTasksCouldHave(t *testing.T) {
	w := observing(t, LatestFormat, Foreground)
	w.expect(500_000, ByCap)
	w.reports(Foreground, [2]Work{{10, 0}, {10, 0}})
	w.expect(500_000, ByCap)
	w.reports(Foreground, [2]Work{{40, 0}, {40, 0}})
	w.expect(500_000, ByWork)
	w.reports(Foreground, [2]Work{{70, 0}, {50, 20}}) // the second is starved: it had a third of its cap
	w.expect(166_667, ByWork)
	w.reports(Foreground, [2]Work{{100, 0}, {50, 20}}) // and idles now
	w.expect(500_000, ByWork)
	w.report(w.sees(0, Foreground, nil))
	w.expect(500_000, ByCap)
	w.reports(Foreground, [2]Work{{100, 0}, {30, 20}}) // a monitor that was restarted begins anew
	w.expect(500_000, ByCap)
}

func TestABackgroundVMIsNotCreditedWithItsCap(t *testing.T) {
	w := observing(t, LatestFormat, Background)
	w.expect(0, ByGrant)
	if ran := w.s.Job(1).RunningTime(w.s.Now+Minute) - w.s.Job(1).RunningTime(w.s.Now); ran != Minute {
		t.Errorf("within a minute it runs for %v", ran)
	}
	w.reports(Background, [2]Work{{1, 1}, {1, 1}})
	w.reports(Background, [2]Work{{11, 31}, {31, 1}})
	w.expect(125_000, ByWork)

	old := observing(t, observes-1, Background)
	old.reports(Background, [2]Work{{1, 1}, {1, 1}})
	old.reports(Background, [2]Work{{11, 31}, {31, 1}})
	old.expect(500_000, ByCap)
	if p := old.s.Job(1).Tasks[0].Progress; p != nil {
		t.Errorf("below format %d a state keeps %+v", observes, p)
	}
}

// The stale report of the defect that this is for: it was under way when the order to change the tier alone was given.
func TestAResizeOfTheTierAloneEndsWhenTheTierIsObserved(t *testing.T) {
	stale := Observation{Run: RunID{1, 0, 1}, Seen: SeenRunning, Cap: 500, Tiered: true}
	silent := stale
	silent.Tiered = false
	for _, c := range []struct {
		name   string
		format uint32
		seen   Observation
		ends   bool
	}{
		{"a stale report", LatestFormat, stale, false},
		{"a report that tells no tier", LatestFormat, silent, false},
		{"a report of the tier", LatestFormat, Observation{Run: RunID{1, 0, 1}, Seen: SeenRunning, Cap: 500, Tiered: true,
			Tier: Background}, true},
		{"a report of the tier with another cap", LatestFormat, Observation{Run: RunID{1, 0, 1}, Seen: SeenRunning, Cap: 400,
			Tiered: true, Tier: Background}, false},
		{"a stale report, as it always was", observes - 1, stale, true},
	} {
		w := observing(t, c.format, Foreground)
		w.do(StartMoves{[]Move{{Kind: Resize, Task: TaskID{1, 0}, From: 1, CPU: 500, Tier: Background}}})
		w.report(c.seen)
		if m := w.s.Move(TaskID{1, 0}); (m == nil) != c.ends {
			t.Errorf("%s: under way is %+v", c.name, m)
		}
	}
	w := observing(t, LatestFormat, Foreground)
	w.do(StartMoves{[]Move{{Kind: Resize, Task: TaskID{1, 0}, From: 1, CPU: 600}}})
	silent.Cap = 600
	if w.report(silent); w.s.Move(TaskID{1, 0}) != nil {
		t.Error("a report that tells no tier ends no resize of the cap alone")
	}
}

func TestReportsHoldNothingThatAnOlderProgramCannotRead(t *testing.T) {
	r := Report{Node: 1, Observations: []Observation{{Run: RunID{1, 0, 1}, Seen: SeenRunning, Cap: 500, Tier: Background,
		Tiered: true, Work: &Work{1, 2}}}}
	if got := r.within(observes); got.Observations[0] != r.Observations[0] || formatOf(got) != observes {
		t.Errorf("%+v of format %d", got, formatOf(got))
	}
	if got := r.within(observes - 1); got.Observations[0] != (Observation{Run: RunID{1, 0, 1}, Seen: SeenRunning,
		Cap: 500}) || formatOf(got) != 1 {
		t.Errorf("%+v of format %d", got, formatOf(got))
	}
	if r.Observations[0].Work == nil {
		t.Error("the report itself was changed")
	}
}
