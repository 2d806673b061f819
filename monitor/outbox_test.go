package monitor

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

func TestWhatIsKnownIsNotToldAgain(t *testing.T) {
	b := newOutbox()
	orders := cluster.Orders{Runs: []cluster.Order{{Run: someRun}}}
	put := func(o cluster.Observation) {
		o.Run = someRun
		b.put([]cluster.Observation{o}, orders, &snapshot{})
	}
	tell := func(err error) {
		b.acknowledge(sent{report: cluster.Report{Observations: b.news(0)}, err: err}, 0, zerolog.Nop())
	}

	put(cluster.Observation{Seen: cluster.SeenRunning, Move: 3, Cap: 300})
	if len(b.news(0)) != 1 {
		t.Fatal("news are not told")
	}
	tell(errors.New("not durable"))
	if len(b.news(0)) != 1 {
		t.Fatal("a report that was not taken is not repeated")
	}
	tell(nil)
	if len(b.news(0)) != 0 {
		t.Fatal("what is known is told again")
	}
	put(cluster.Observation{Seen: cluster.SeenRunning, Cap: 300})
	if len(b.news(0)) != 0 {
		t.Error("that a move is over is told again")
	}
	put(cluster.Observation{Seen: cluster.SeenRunning, Move: 4, Cap: 300})
	if len(b.news(0)) != 1 {
		t.Error("the next move is not acknowledged")
	}
	tell(nil)
	put(cluster.Observation{Seen: cluster.SeenExited, Exit: &cluster.Exit{}})
	tell(nil)
	put(cluster.Observation{Seen: cluster.SeenExited, Exit: &cluster.Exit{}})
	if len(b.news(0)) != 0 {
		t.Error("an equal exit is told again")
	}
	b.reset()
	put(cluster.Observation{Seen: cluster.SeenExited, Exit: &cluster.Exit{}})
	if len(b.news(0)) != 1 {
		t.Error("a new session is not told everything")
	}
	b.put(nil, cluster.Orders{}, &snapshot{})
	if len(b.news(0)) != 0 {
		t.Error("a run that concerns nobody is still told of")
	}
}

func TestThatAVMIsGoneIsToldUnderEveryOrderToDestroyIt(t *testing.T) {
	b := newOutbox()
	gone := []cluster.Observation{{Run: someRun, Seen: cluster.SeenAbsent}}
	put := func(revision uint64) {
		b.put(gone, cluster.Orders{Revision: revision, Destroy: []cluster.RunID{someRun}}, &snapshot{})
	}
	report := func() sent { return sent{report: cluster.Report{Observations: b.news(0)}, revision: b.revision} }

	put(10)
	first := report()
	b.acknowledge(first, 0, zerolog.Nop())
	put(10)
	if len(b.news(0)) != 0 {
		t.Error("it is told twice under the same orders")
	}
	put(12) // between the two, the VM may have been ordered here again
	if len(b.news(0)) != 1 {
		t.Fatal("it is not told under new orders: the leader waits forever")
	}
	second := report()
	put(15)
	b.acknowledge(second, 0, zerolog.Nop())
	if len(b.news(0)) != 1 {
		t.Error("the acknowledgement of an older answer is taken for that of the newest")
	}
}

func TestOneObservationThatIsRefusedStandsAloneAndIsNotRepeated(t *testing.T) {
	b, poison := newOutbox(), cluster.RunID{Job: 3, Number: 1}
	var orders cluster.Orders
	var seen []cluster.Observation
	for _, run := range runs(7) {
		orders.Runs = append(orders.Runs, cluster.Order{Run: run})
		seen = append(seen, cluster.Observation{Run: run, Seen: cluster.SeenRunning})
	}
	b.put(seen, orders, &snapshot{})
	told := map[cluster.RunID]bool{}
	for reports := 0; len(b.news(0)) > 0; reports++ {
		if reports > 20 {
			t.Fatal("it is repeated forever")
		}
		s := sent{report: cluster.Report{Observations: b.news(0)}}
		if slices.ContainsFunc(s.report.Observations, func(o cluster.Observation) bool { return o.Run == poison }) {
			s.err = &cluster.Rejection{Code: cluster.CodeInternalBug}
		} else {
			for _, o := range s.report.Observations {
				told[o.Run] = true
			}
		}
		b.acknowledge(s, 0, zerolog.Nop())
	}
	if len(told) != 6 || told[poison] {
		t.Errorf("told %v", told)
	}
	b.acknowledge(sent{report: cluster.Report{FenceAlive: true}, err: &cluster.Rejection{}}, 0, zerolog.Nop())
	if b.header == nil || !b.header.FenceAlive {
		t.Error("a refused report without observations is repeated")
	}
}

func TestAPeerThatCannotTellYetIsAskedLessAndLessOften(t *testing.T) {
	w := newWork()
	ask := func(p reconcile.Presence) {
		w.note(outcome{action: reconcile.Action{Verb: reconcile.Ask, Run: someRun}, presence: p}, time.Now())
	}
	for i := range 3 {
		ask([]reconcile.Presence{reconcile.Coming, reconcile.Unknown, reconcile.Coming}[i])
		if w.tries[someRun] != i+1 {
			t.Errorf("after %d questions the next waits as after %d", i+1, w.tries[someRun])
		}
	}
	ask(reconcile.Nowhere)
	if w.tries[someRun] != 0 {
		t.Error("the wait outlives the answer")
	}
}

func TestOfTheNodesOwnDataOnlyChangesThatMatterAreTold(t *testing.T) {
	known := cluster.Report{Node: 1, StoreProven: true, StoreFree: 1000 * cluster.MiB, FenceAlive: true}
	for _, c := range []struct {
		name   string
		change func(*cluster.Report)
		want   bool
	}{
		{"nothing", func(*cluster.Report) {}, false},
		{"a little space", func(r *cluster.Report) { r.StoreFree -= 40 * cluster.MiB }, false},
		{"much space", func(r *cluster.Report) { r.StoreFree -= 200 * cluster.MiB }, true},
		{"the fence died", func(r *cluster.Report) { r.FenceAlive = false }, true},
		{"the store is gone", func(r *cluster.Report) { r.StoreProven, r.StoreFree = false, -1 }, true},
		{"a foreign VM", func(r *cluster.Report) { r.Foreign.Memory = 5 }, true},
	} {
		r := known
		c.change(&r)
		if got := worthTelling(r, known); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAStoreThatIsNearlyFullIsNoNewsEachTime(t *testing.T) {
	known := cluster.Report{Node: 1, StoreProven: true, StoreFree: 9 * cluster.MiB}
	for free, want := range map[cluster.Bytes]bool{2 * cluster.MiB: false, 0: false, 20 * cluster.MiB: false,
		30 * cluster.MiB: true, -1: true} {
		r := known
		r.StoreFree = free
		if got := worthTelling(r, known); got != want {
			t.Errorf("from %v free to %v: %v, want %v", known.StoreFree, free, got, want)
		}
	}
}

func TestARunIsBusyUntilItWasLookedAtAgain(t *testing.T) {
	w := newWork()
	w.busy[someRun] = reconcile.Action{Verb: reconcile.Start, Run: someRun}
	w.after[someRun] = 7 // snapshot 7 was being taken when the action ended
	w.settle(7)
	if len(w.busy) != 1 {
		t.Error("believed a snapshot that was begun before the action ended")
	}
	w.settle(8)
	if len(w.busy) != 0 {
		t.Error("still busy")
	}
}

func TestFailuresOfMovesStayAndOthersRest(t *testing.T) {
	w, now := newWork(), time.Now()
	order := cluster.Order{Run: someRun, Want: cluster.Leave, Move: 5}
	fail := func(v reconcile.Verb) {
		w.note(outcome{action: reconcile.Action{Verb: v, Run: someRun, Order: order}, err: errors.New("no")}, now)
	}
	fail(reconcile.Migrate)
	fail(reconcile.Thaw)
	if w.failed[someRun].Move != 5 || w.rests()[someRun] != reconcile.Thaw {
		t.Fatalf("%+v, %+v", w.failed, w.resting)
	}
	w.note(outcome{action: reconcile.Action{Verb: reconcile.Ask, Run: someRun, Order: order}, presence: reconcile.Nowhere},
		now)
	if w.failed[someRun].Move != 5 || w.peers()[someRun] != reconcile.Nowhere || len(w.resting) != 0 {
		t.Errorf("after a success: %+v, %+v, %+v", w.failed, w.resting, w.answers)
	}
	if w.forgive(now.Add(answerLife/2)) || !w.forgive(now.Add(2*answerLife)) || len(w.answers) != 0 {
		t.Error("a peer's answer is believed too long or too short")
	}
	order.Move = 6
	w.follow(cluster.Orders{Runs: []cluster.Order{order}})
	if len(w.failed) != 0 {
		t.Error("the failure outlives its move")
	}
	var pauses []time.Duration
	for range 9 {
		fail(reconcile.Destroy)
		pauses = append(pauses, w.resting[someRun].until.Sub(now))
	}
	if pauses[0] != firstPause || pauses[1] != 2*firstPause || pauses[8] != mostPause {
		t.Errorf("pauses %v", pauses)
	}
}

func TestAnUnreadableImageIsTheRunsEnd(t *testing.T) {
	w := newWork()
	w.note(outcome{action: reconcile.Action{Verb: reconcile.Restore, Run: someRun}, err: errors.Join(ErrUnreadable)},
		time.Now())
	if !w.failed[someRun].Lost {
		t.Errorf("%+v", w.failed)
	}
}

func TestAVanishedVMIsGivenTimeToTellHowItEnded(t *testing.T) {
	w := newWork()
	orders := cluster.Orders{Runs: []cluster.Order{{Run: someRun}}}
	s := &snapshot{}
	if len(w.ended(orders, s)) != 0 {
		t.Error("its end is made up at once")
	}
	w.missing[someRun] = time.Now().Add(-2 * endDelay)
	if got := w.ended(orders, s)[someRun]; got.Cause == "" || got.ByGuest {
		t.Errorf("%+v", got)
	}
	s.Ended = map[cluster.RunID]reconcile.End{someRun: {ByGuest: true, Cause: "it crashed"}}
	if got := w.ended(orders, s)[someRun]; !got.ByGuest {
		t.Errorf("what the hypervisor told is overruled: %+v", got)
	}
	w.busy[someRun] = reconcile.Action{}
	if w.ended(orders, s); len(w.missing) != 0 {
		t.Error("a run that is being made counts as missing")
	}
}

func TestAPeersAnswerConcernsTheMoveForWhichItWasAsked(t *testing.T) {
	w := newWork()
	first := cluster.Order{Run: someRun, Want: cluster.Leave, Move: 5}
	back := cluster.Order{Run: someRun, Want: cluster.Arrive, Move: 6}
	answer := outcome{action: reconcile.Action{Verb: reconcile.Ask, Run: someRun, Order: first}, presence: reconcile.There}
	w.note(answer, time.Now())
	w.follow(cluster.Orders{Runs: []cluster.Order{first}})
	if w.peers()[someRun] != reconcile.There {
		t.Fatalf("the answer is forgotten while it is of use: %+v", w.answers)
	}
	w.follow(cluster.Orders{Runs: []cluster.Order{back}})
	if len(w.answers) != 0 {
		t.Errorf("the VM went there and comes back, and still it is said to be there: %+v", w.answers)
	}
	w.note(answer, time.Now())
	w.follow(cluster.Orders{Runs: []cluster.Order{back}})
	if len(w.answers) != 0 {
		t.Errorf("an answer that came late is taken for one of the next move: %+v", w.answers)
	}
}

func TestWhatTheStoreTellsNothingOfForLongBeginsElsewhere(t *testing.T) {
	w, start := newWork(), time.Now()
	of := func(job cluster.JobID) cluster.RunID { return cluster.RunID{Job: job, Number: 1} }
	busy, tried, leaving, here := of(102), of(103), of(104), of(105)
	all := map[cluster.RunID]bool{someRun: true, busy: true, tried: true, leaving: true, here: true}
	s := &snapshot{why: errSlow, unread: all,
		Listing: Listing{Domains: map[cluster.RunID]reconcile.Domain{here: {State: reconcile.Frozen}}}}
	for i, run := range []cluster.RunID{someRun, busy, tried, leaving, here} {
		s.orders.Runs = append(s.orders.Runs, cluster.Order{Run: run, Want: cluster.Begin, Move: cluster.MoveID(i + 1)})
	}
	s.orders.Runs[3].Want = cluster.Leave
	w.busy[busy] = reconcile.Action{Verb: reconcile.Start}
	untried := map[cluster.RunID]bool{someRun: true, busy: true, leaving: true, here: true}
	look := func(after time.Duration) { w.giveUpHidden(s, untried, start.Add(after)) }
	look(0)
	look(hiddenLimit)
	if len(w.failed) != 0 {
		t.Errorf("given up in time: %v", w.failed)
	}
	s.unread = map[cluster.RunID]bool{}
	look(hiddenLimit + time.Second)
	s.unread = all
	look(hiddenLimit + 2*time.Second)
	look(2*hiddenLimit + time.Second)
	if len(w.failed) != 0 {
		t.Errorf("given up although the store has answered meanwhile: %v", w.failed)
	}
	look(2*hiddenLimit + 3*time.Second)
	if f := w.failed[someRun]; len(w.failed) != 1 || f.Move != 1 || !strings.Contains(f.Cause, errSlow.Error()) {
		t.Errorf("given up: %v", w.failed)
	}
}

// desk is an outbox whose leader accepts every report.
type desk struct {
	outbox
	orders cluster.Orders
}

// pass lets the given number of seconds pass, and returns the runs that are then reported to the leader.
func (d *desk) pass(now *cluster.Time, seconds int, seen ...cluster.Observation) (told []cluster.JobID) {
	*now += cluster.Time(seconds) * cluster.Second
	d.orders.Runs = nil
	for _, o := range seen {
		d.orders.Runs = append(d.orders.Runs, cluster.Order{Run: o.Run})
	}
	d.put(seen, d.orders, &snapshot{})
	news := d.news(*now)
	for _, o := range news {
		told = append(told, o.Run.Job)
	}
	d.acknowledge(sent{report: cluster.Report{Observations: news}, at: *now}, 0, zerolog.Nop())
	return told
}

func TestWorkIsToldOnceAMinuteAtMostAndOnlyIfTheRateHasChanged(t *testing.T) {
	d, now := &desk{outbox: newOutbox()}, cluster.Hour
	sums := [3]cluster.Work{}
	seen := func(cap cluster.CPU) (all []cluster.Observation) {
		for i := range sums {
			work := sums[i]
			all = append(all, cluster.Observation{
				Run: cluster.RunID{Job: cluster.JobID(i), Number: 1}, Seen: cluster.SeenRunning, Cap: cap, Tiered: true,
				Work: &work,
			})
		}
		return all
	}
	// work lets all runs work for some seconds. The second run waits for the given part of them.
	work := func(seconds, waits cluster.Time) {
		for i := range sums {
			sums[i].Ran += seconds * cluster.Second
		}
		sums[1].Ran -= waits * cluster.Second
		sums[1].Waited += waits * cluster.Second
	}
	for _, c := range []struct {
		name          string
		passes, waits int
		cap           cluster.CPU
		want          int
	}{
		{"the first report", 1, 0, 500, 3},
		{"work alone, but its span is too short", 10, 0, 500, 0},
		{"the rates are not known yet", 10, 0, 500, 3},
		{"the rates are as they were", 60, 0, 500, 0},
		{"for long", 400, 0, 500, 0},
		{"one is starved", 60, 30, 500, 3},
		{"and more", 30, 25, 500, 0},
		{"a minute later", 30, 30, 500, 3},
		{"caps change, with which all is told", 5, 0, 400, 3},
		{"for very long", 599, 599, 400, 3},
		{"the rates are as they were, for ten minutes", 599, 599, 400, 0},
		{"and a second", 1, 1, 400, 3},
	} {
		work(cluster.Time(c.passes), cluster.Time(c.waits))
		if told := d.pass(&now, c.passes, seen(c.cap)...); len(told) != c.want {
			t.Errorf("%s: told of %v, want %d runs", c.name, told, c.want)
		}
	}
	unobserved := seen(400)
	unobserved[0].Work = nil
	if told := d.pass(&now, 1, unobserved...); !slices.Equal(told, []cluster.JobID{0}) {
		t.Errorf("that work is not observed any more is told of %v", told)
	}
	d.pass(&now, 1, seen(400)[1:]...)
	if len(d.progress) != 2 {
		t.Errorf("of runs that are gone it is remembered what was told: %v", d.progress)
	}
}

func TestTheMemoryOfStraysIsReportedWithTheirOverhead(t *testing.T) {
	run := func(job cluster.JobID) cluster.RunID { return cluster.RunID{Job: job, Number: 1} }
	b := newOutbox()
	b.overhead = 5
	s := &snapshot{Listing: Listing{Domains: map[cluster.RunID]reconcile.Domain{
		run(1): {Memory: 10}, run(2): {Memory: 20}, run(3): {Memory: 40, Moving: true}, run(4): {Memory: 80},
	}}}
	b.put(nil, cluster.Orders{Runs: []cluster.Order{{Run: run(1)}}, Destroy: []cluster.RunID{run(4)}}, s)
	if b.astray != 110 {
		t.Errorf("strays take %d; two that stay take 20 and 80, and 5 each", b.astray)
	}
}
