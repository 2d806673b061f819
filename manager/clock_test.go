package manager

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/internal/freeport"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/link"
	"aliquot/manager/store"
	"aliquot/wire"
)

// trio is three managers in one process, each with its own clock.
type trio struct {
	*testing.T
	members map[uint64]store.Member
	all     map[uint64]*Manager
	stop    map[uint64]func()
	set     map[uint64]*atomic.Int64 // offset to which each machine's clock was set, ns
	passed  atomic.Int64             // time passed on all machines, ns
	still   atomic.Int64             // time that all machines slept unnoticed, ns; not part of passed
	initial *cluster.State
	formats atomic.Uint32 // highest format that each replica announces
	futile  atomic.Int32  // next offers of the lead that come to nothing
	peers   *neighbours
}

func newTrio(t *testing.T) *trio {
	c := &trio{T: t, peers: &neighbours{folders: map[string]*images.Folder{}, managers: map[string]*Manager{}},
		members: map[uint64]store.Member{},
		all:     map[uint64]*Manager{}, stop: map[uint64]func(){},
		set:     map[uint64]*atomic.Int64{1: {}, 2: {}, 3: {}},
		initial: cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})}
	for id := uint64(1); id <= 3; id++ {
		c.members[id] = store.Member{Name: "m" + string(rune('0'+id)), Address: freeport.Take()}
	}
	t.Cleanup(func() {
		for _, stop := range c.stop {
			stop()
		}
	})
	return c
}

func (c *trio) ok(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// start starts a manager whose clock is ahead of the right time.
func (c *trio) start(id uint64, ahead time.Duration) *Manager {
	c.Helper()
	dir := c.TempDir()
	log, err := events.Open(filepath.Join(dir, "events"), events.Kept, zerolog.Nop())
	c.ok(err)
	kept, err := images.Open(filepath.Join(dir, "images"), images.Limit)
	c.ok(err)
	c.peers.add(fmt.Sprint(id), kept)
	s, err := store.Open(store.Config{
		Dir: filepath.Join(dir, "raft"), Replica: id, Members: c.members, Cluster: [16]byte{1}, Events: log,
		Log: zerolog.Nop(), RTT: 20 * time.Millisecond,
		Initial: c.initial.Clone,
	})
	c.ok(err)
	clock := func() time.Time { return time.Now().Add(ahead + time.Duration(c.set[id].Load()+c.passed.Load())) }
	elapsed := func() time.Duration { return wire.Boottime() + time.Duration(c.passed.Load()-c.still.Load()) }
	m := New(Config{Replica: id, StorePath: filepath.Join(dir, "store"), Restored: filepath.Join(dir, "restored"),
		FenceMargin: 5 * time.Second, Log: zerolog.Nop(), Clock: clock, Elapsed: elapsed,
		Links: map[uint64]string{1: "1", 2: "2", 3: "3"}, Peers: c.peers,
		RESTs: map[uint64]string{1: "one", 2: "two", 3: "three"}, Format: func(context.Context, string) (uint32, error) {
			return c.formats.Load(), nil
		}}, offering{s, &c.futile}, log, kept)
	c.peers.join(fmt.Sprint(id), m)
	m.Serve(link.NewHub(link.Options{Leader: m.ForNodes(), Lease: 10 * time.Second, Log: zerolog.Nop()}))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	c.all[id] = m
	c.stop[id] = func() {
		cancel()
		<-ended
		s.Close()
		c.ok(log.Close())
		delete(c.stop, id)
	}
	return m
}

func (c *trio) until(what string, done func() bool) {
	c.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.Fatalf("not within 2 min: %s", what)
		}
	}
}

// leader waits for a manager that leads.
func (c *trio) leader() *Manager {
	c.Helper()
	var found *Manager
	c.until("somebody leads", func() bool {
		for id := range c.stop {
			if c.all[id].epoch.Load() != 0 {
				found = c.all[id]
			}
		}
		return found != nil
	})
	return found
}

// right is the right time.
func (c *trio) right() cluster.Time {
	return cluster.Time(time.Now().Add(time.Duration(c.passed.Load())).UnixMicro())
}

// stamped proposes a command through the manager and returns the time at which State received it.
func (c *trio) stamped(m *Manager, token string) cluster.Time {
	c.Helper()
	_, err := m.Do(c.Context(), admin, "", cluster.PutToken{Token: cluster.Token{ID: token, Name: token, Actor: admin}})
	c.ok(err)
	for t := range m.Latest().Tokens() {
		if t.ID == token {
			return t.Created
		}
	}
	c.Fatalf("token %s is not there", token)
	return 0
}

// anHour matches the report of a replica whose clock is an hour off, as exactly as the replica can measure.
var anHour = regexp.MustCompile(` (3599|3600)\.\d s `)

func near(a, b cluster.Time) bool { return max(a-b, b-a) < 4*cluster.Second }

func TestAFollowersClockMovesNobodysTime(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			c := newTrio(t)
			c.start(1, 0)
			c.start(2, 0)
			c.leader()
			skewed := c.start(3, ahead)
			if at := c.stamped(skewed, "first"); !near(at, c.right()) {
				t.Errorf("stamped %v s from the right time", (at - c.right()).Seconds())
			}
			c.idle(3 * soundLife / 2)
			if at := c.stamped(skewed, "after-idling"); !near(at, c.right()) {
				t.Errorf("after a while stamped %v s from the right time", (at - c.right()).Seconds())
			}
			if view := skewed.Latest(); !near(view.At, c.right()) || !near(view.Now, c.right()) {
				t.Errorf("shows %v s and State %v s from the right time", (view.At - c.right()).Seconds(),
					(view.Now - c.right()).Seconds())
			}
			if h := skewed.Health(); !anHour.MatchString(h.Problem) || !strings.Contains(h.Problem, name) {
				t.Errorf("its health tells %q", h.Problem)
			}
			for id := uint64(1); id <= 2; id++ {
				c.until("the others have nothing to tell", func() bool { return c.all[id].Health().Problem == "" })
			}
			c.handOver(skewed)
			if led := c.leader(); led == skewed || !near(led.Latest().Now, c.right()) {
				t.Errorf("replica %d leads, and State is %v s from the right time", led.cfg.Replica,
					(led.Latest().Now - c.right()).Seconds())
			}
			if skewed.Latest().Leader == 3 {
				t.Error("its claim was accepted")
			}
		})
	}
}

// idle lets time pass in which nothing happens. It passes in steps, so that every manager hears of its leader in
// between. If none had for soundLife, as after a sleep of all machines, any of them could lead and set the time.
func (c *trio) idle(d time.Duration) {
	c.Helper()
	for ; d > 0; d -= soundLife / 2 {
		c.passed.Add(int64(soundLife / 2))
		for id := range c.stop {
			m := c.all[id]
			now := m.elapsed()
			c.until("the manager hears of its leader", func() bool { return m.time.lastHeard() >= now })
		}
	}
}

// lastHeard returns when a claimed leader was last known.
func (c *clusterClock) lastHeard() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard
}

// handOver hands the lead over to the manager and waits until the manager leads.
func (c *trio) handOver(to *Manager) {
	c.Helper()
	before := to.Latest().Epoch
	elected := false
	c.until("the manager is elected", func() bool {
		if leader, _ := to.store.Leader(); leader == to.cfg.Replica {
			elected = true
		} else {
			c.ok(c.leader().store.HandOver(c.Context()))
		}
		return elected
	})
	c.until("another one claims after it", func() bool { return to.Latest().Epoch > before })
}

func TestManagersWhoseMachinesSleptTogetherLeadWithoutARestart(t *testing.T) {
	for name, unaware := range map[string]bool{"suspended": false, "stood still without knowing": true} {
		t.Run(name, func(t *testing.T) {
			c := newTrio(t)
			for id := uint64(1); id <= 3; id++ {
				c.start(id, 0)
			}
			led := c.leader()
			for id := range c.stop {
				c.until("all know the time", func() bool {
					_, known := c.all[id].time.now(c.all[id].elapsed())
					return known || c.all[id].epoch.Load() != 0
				})
			}
			if unaware {
				c.still.Add(int64(10 * time.Minute))
			}
			c.passed.Add(int64(10 * time.Minute))
			c.stop[led.cfg.Replica]() // its machine's clock does not vouch for the time
			if unaware {
				c.until("one is elected and doubts its clock", func() bool {
					for id := range c.stop {
						if leader, _ := c.all[id].store.Leader(); leader == id && strings.Contains(c.all[id].Health().Problem, "ahead") {
							return true
						}
					}
					return false
				})
				c.passed.Add(int64(soundLife))
			}
			c.leader()
			if at := c.stamped(c.leader(), "after"); !near(at, c.right()) {
				t.Errorf("stamped %v s from the right time", (at - c.right()).Seconds())
			}
		})
	}
}

func TestAManagerThatHasJustStartedLearnsTheTimeOfAnIdleCluster(t *testing.T) {
	c := newTrio(t)
	c.start(1, 0)
	c.start(2, 0)
	c.leader()
	c.passed.Add(int64(10 * time.Minute))
	late := c.start(3, 0)
	if at := c.stamped(late, "first"); !near(at, c.right()) {
		t.Errorf("stamped %v s from the right time", (at - c.right()).Seconds())
	}
}

func TestTheSilenceOfALeaderThatHasNotClaimedMeansNothing(t *testing.T) {
	w := newWorld(t)
	leader, term := w.store.Leader()
	m := &Manager{store: w.store, elapsed: w.elapsed} // the state of a follower
	m.askTime(t.Context(), leader, term+1)            // the state of a newly elected leader
	m.askTime(t.Context(), leader+1, term)
	if !m.time.stale(m.elapsed()) {
		t.Error("it was asked what time it is")
	}
	m.askTime(t.Context(), leader, term)
	if m.time.stale(m.elapsed()) {
		t.Error("the leader was not asked")
	}
}

func TestALeaderShowsItsTimeOnceForEachCommandThatHasLeftStatesBehind(t *testing.T) {
	m := &Manager{elapsed: func() time.Duration { return time.Hour }}
	m.time.begin(10*cluster.Minute, 0, time.Hour)
	s := cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})
	apply := func(at cluster.Time) { s.Apply(s.Revision+1, cluster.Command{At: at, Action: cluster.Checkpoint{}}) }
	for _, step := range []struct {
		at    cluster.Time
		shows bool
	}{{cluster.Minute, true}, {0, true}, {10*cluster.Minute - tolerated/2, false}, {0, false}} {
		apply(step.at)
		view := s.Snapshot(0)
		if shows := m.showTime(view) != nil; shows != step.shows {
			t.Errorf("State at %v s: shows its time: %v", s.Now.Seconds(), shows)
		}
		if m.showTime(view) != nil {
			t.Error("an idle cluster is told the time again")
		}
	}
}

// showing returns a manager whose state shows a time that is the given difference ahead of the right one.
func (c *trio) showing(ahead cluster.Time) {
	c.initial.Apply(1, cluster.Command{At: c.right() + ahead, Action: cluster.Checkpoint{}})
}

// startAll starts three managers with the right time. It returns the one that leads, with its epoch, when all know the
// cluster's time.
func (c *trio) startAll() (led *Manager, epoch uint64) {
	c.Helper()
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	led = c.leader()
	for id := range c.stop {
		c.until("all know the time", func() bool { return c.all[id].learnTime(c.Context()) == nil })
	}
	return led, led.Latest().Epoch
}

func TestALeaderWhoseClockIsSetHandsTheLeadOverAndMovesNoTime(t *testing.T) {
	c := newTrio(t)
	led, before := c.startAll()
	c.set[led.cfg.Replica].Store(int64(2 * time.Hour))
	if at := c.stamped(led, "first"); !near(at, c.right()) {
		t.Errorf("stamped %v s from the right time", (at - c.right()).Seconds())
	}
	c.until("another one leads", func() bool { return led.Latest().Epoch > before && led.epoch.Load() == 0 })
	c.set[led.cfg.Replica].Store(0)
	if now := c.leader().Latest().Now; !near(now, c.right()) {
		t.Errorf("the state is %v s from the right time", (now - c.right()).Seconds())
	}
}

// offering is a store some of whose offers of the lead come to nothing.
type offering struct {
	*store.Store
	futile *atomic.Int32
}

func (s offering) HandOver(ctx context.Context) error {
	if s.futile.Add(-1) >= 0 {
		return nil
	}
	return s.Store.HandOver(ctx)
}

func TestAnOfferOfTheLeadThatComesToNothingIsRepeated(t *testing.T) {
	c := newTrio(t)
	led, before := c.startAll()
	c.futile.Store(1)
	c.set[led.cfg.Replica].Store(int64(2 * time.Hour))
	c.until("the lead is offered", func() bool { return c.futile.Load() == 0 })
	c.passed.Add(int64(offerLife + time.Second))
	c.until("another one leads", func() bool { return led.Latest().Epoch > before && led.epoch.Load() == 0 })
}

func TestManagersWithTheRightTimeLeadAlthoughTheClustersIsAheadAndItCanBeSet(t *testing.T) {
	for name, managers := range map[string]int{"one": 1, "three": 3} {
		t.Run(name, func(t *testing.T) {
			c := newTrio(t)
			c.showing(2 * cluster.Hour)
			for id := uint64(1); id <= 3; id++ {
				if int(id) > managers {
					delete(c.members, id)
				}
			}
			for id := range c.members {
				c.start(id, 0)
			}
			c.until("they are elected", func() bool { leader, _ := c.all[1].store.Leader(); return leader != 0 })
			c.passed.Add(int64(soundLife + time.Second)) // another manager might know better
			led := c.leader()
			if at := c.stamped(led, "ahead"); !near(at, c.right()+2*cluster.Hour-cluster.Time(soundLife.Microseconds())) &&
				!near(at, c.right()+2*cluster.Hour) {
				t.Errorf("the time did not go on: it is %v s from the right one", (at - c.right()).Seconds())
			}
			if h := led.Health(); !strings.Contains(h.Problem, "behind") || !strings.Contains(h.Problem, "set-time") {
				t.Errorf("its health tells %q", h.Problem)
			}
			_, err := led.Do(t.Context(), admin, "", cluster.SetTime{To: c.right()})
			c.ok(err)
			if at := c.stamped(led, "set"); !near(at, c.right()) {
				t.Errorf("stamped %v s from the right time", (at - c.right()).Seconds())
			}
			if h := led.Health(); h.Problem != "" {
				t.Errorf("its health tells %q", h.Problem)
			}
		})
	}
}

func TestAfterAnOutageTheLeaderSetsTheTime(t *testing.T) {
	c := newTrio(t)
	c.showing(-60 * cluster.Hour)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	led := c.leader()
	c.until("the time is right", func() bool { return near(led.Latest().Now, c.right()) })
	if led.Latest().TimeSet == 0 {
		t.Error("a command has moved the time by 60 hours")
	}
}

func TestAnIdleClusterIsShownTheTimeBeforeItIsBehindByMoreThanACommandMovesIt(t *testing.T) {
	at := time.Hour
	m := &Manager{elapsed: func() time.Duration { return at }}
	m.time.begin(cluster.Hour, 0, at)
	s := cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})
	s.Apply(1, cluster.Command{At: cluster.Hour, Action: cluster.Checkpoint{}})
	v := s.Snapshot(0)
	for _, step := range []struct {
		after time.Duration
		want  cluster.Action
	}{
		{0, nil},
		{29 * time.Minute, nil},
		{31 * time.Minute, cluster.Checkpoint{Revision: 1}},
		{61 * time.Minute, cluster.SetTime{To: cluster.Hour + 61*cluster.Minute}}, // it was cut off meanwhile
	} {
		at = time.Hour + step.after
		if a := m.showTime(v); a != step.want {
			t.Errorf("after %v: %+v, want %+v", step.after, a, step.want)
		}
	}
}

func TestALeadersMachineSteersTheTimeSlowlyAndNeverBehindStates(t *testing.T) {
	const start = 100 * cluster.Second
	for name, c := range map[string]struct{ machine, state, want, ahead cluster.Time }{
		"the same":     {120 * cluster.Second, start, 120 * cluster.Second, 0},
		"a bit ahead":  {120*cluster.Second + 1, start, 120*cluster.Second + 1, 1},
		"far ahead":    {220 * cluster.Second, start, 121 * cluster.Second, 100 * cluster.Second},
		"far behind":   {20 * cluster.Second, start, 119 * cluster.Second, -100 * cluster.Second},
		"behind State": {120 * cluster.Second, 130 * cluster.Second, 130 * cluster.Second, 0},
	} {
		var clock clusterClock
		clock.begin(start, 0, 0)
		ahead := clock.steer(c.machine, showing(c.state), 20*time.Second)
		if now, _ := clock.reading(20 * time.Second); now != c.want || ahead != c.ahead {
			t.Errorf("%s: it is %v s, and the machine's clock %v s ahead; want %v and %v", name, now.Seconds(), ahead.Seconds(),
				c.want.Seconds(), c.ahead.Seconds())
		}
	}
}

func TestSamplesOnTheirWayForLongerAreWorse(t *testing.T) {
	at := func(s float64) time.Duration { return time.Duration((100 + s) * float64(time.Second)) }
	second := func(s float64) cluster.Time { return cluster.Time(s * float64(cluster.Second)) }
	var c clusterClock
	if now, known := c.now(at(0)); known || now != 0 {
		t.Errorf("before anything was seen it is %v s", now.Seconds())
	}
	c.see(showing(second(10)), at(0)) // the log is replayed
	if _, known := c.now(at(0)); known {
		t.Error("a time of long ago is taken for the present one")
	}
	c.ask(showing(second(10)), at(1))
	c.see(showing(second(100)), at(2))
	for _, step := range []struct {
		shown, at, want float64
	}{
		{100, 3, 101},     // no new sample
		{100.8, 3, 101},   // 0.2 s on its way
		{102.3, 4, 102.3}, // the first sample took longer
		{104, 6, 104.3},
		{150, 70, 168.3}, // a state of long ago: this replica stood still
		{166, 71, 166},   // the leader steers, or the oscillators differ
	} {
		c.hear(at(step.at))
		c.see(showing(second(step.shown)), at(step.at))
		if now, known := c.now(at(step.at)); !known || now != second(step.want) {
			t.Errorf("after %v at %v s it is %v, known %v; want %v", step.shown, step.at, now.Seconds(), known, step.want)
		}
	}
}

func TestWithoutALeaderTheCarriedTimeIsForgotten(t *testing.T) {
	var c clusterClock
	c.begin(5*cluster.Second, 0, time.Hour)
	c.lead(time.Hour)
	if _, known := c.now(time.Hour + soundLife); !known {
		t.Error("forgotten too early")
	}
	c.hear(time.Hour + soundLife)
	if now, known := c.now(time.Hour + 2*soundLife); !known ||
		now != 5*cluster.Second+2*cluster.Time(soundLife.Microseconds()) {
		t.Errorf("with a leader it is %v s, known %v", now.Seconds(), known)
	}
	if _, known := c.now(time.Hour + 2*soundLife + time.Second); known || !c.stale(time.Hour+2*soundLife+time.Second) {
		t.Error("it is still vouched for, or would not be asked for again")
	}
}

func TestALeaderThatKeepsSilentHasNothingToCorrect(t *testing.T) {
	var c clusterClock
	start := time.Hour
	c.ask(showing(5*cluster.Second), start)
	c.see(showing(5*cluster.Second), start+answerTime/2)
	if _, known := c.now(start + answerTime/2); known {
		t.Error("it had no time to answer")
	}
	c.see(showing(5*cluster.Second), start+2*answerTime)
	if now, known := c.now(start + 2*answerTime); !known ||
		now != 5*cluster.Second+2*cluster.Time(answerTime.Microseconds()) {
		t.Errorf("it is %v s, known %v", now.Seconds(), known)
	}
}

func TestATimeThatIsForgottenIsNotReplacedByAStateOfThePast(t *testing.T) {
	var c clusterClock
	c.ask(showing(cluster.Hour), time.Minute)
	c.see(showing(cluster.Hour+1), time.Minute)
	later := time.Minute + 10*time.Minute
	if _, known := c.now(later); known {
		t.Fatal("ten minutes without a leader were not noticed")
	}
	c.ask(showing(cluster.Hour+2), later) // applied before, and read late
	c.see(showing(cluster.Hour+3), later)
	c.see(showing(cluster.Hour+3), later+2*answerTime)
	want := cluster.Hour + 1 + cluster.Time((10*time.Minute + 2*answerTime).Microseconds())
	if now, known := c.now(later + 2*answerTime); !known || now != want {
		t.Errorf("it is %v s, known %v; want %v s", now.Seconds(), known, want.Seconds())
	}
}

func TestAReplicaThatStartsAfterTheTimeWasSetKeepsTheTimeThatItBeginsWith(t *testing.T) {
	var c clusterClock
	s := cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})
	s.Now, s.TimeSet = cluster.Hour, 7 // before the outage
	c.begin(3*cluster.Hour, s.TimeSet, time.Minute)
	c.follow(s, time.Minute)
	if now, set := c.reading(time.Minute); now != 3*cluster.Hour || set != 7 {
		t.Errorf("the clock shows %v under setting %d, not %v under 7", now, set, 3*cluster.Hour)
	}
}

// showing returns a state that shows the time.
func showing(now cluster.Time) *cluster.State { return &cluster.State{Now: now} }

func TestAStateReadBeforeTheTimeWasSetMovesNoClock(t *testing.T) {
	before := showing(3 * cluster.Hour)
	set := &cluster.State{Now: cluster.Hour, TimeSet: 7}
	for name, late := range map[string]func(*clusterClock){
		"as a sample": func(c *clusterClock) { c.see(before, 2*time.Minute) },
		"to steer by": func(c *clusterClock) { c.steer(cluster.Hour+cluster.Minute, before, 2*time.Minute) },
		"to ask with": func(c *clusterClock) { c.ask(before, 2*time.Minute) },
		"to begin":    func(c *clusterClock) { c.begin(before.Now, before.TimeSet, 2*time.Minute) },
	} {
		var c clusterClock
		c.follow(set, time.Minute)
		late(&c)
		if now, of := c.reading(2 * time.Minute); now != cluster.Hour+cluster.Minute || of != 7 {
			t.Errorf("%s: it is %v s under setting %d", name, now.Seconds(), of)
		}
	}
}
