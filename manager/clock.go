package manager

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/web"
)

// Every replica stamps its proposals with the last cluster time shown by the state, carried forward by the time since
// the machine's boot, sleep included. No machine's clock changes the cluster's time at once: the leader's clock steers
// it slowly.
const (
	answerTime = time.Second               // for the leader's answer to a question for the time
	askTime    = 2 * time.Second           // for the question to be committed
	sampleLife = time.Minute               // after which any new sample replaces the old one
	askAgain   = time.Hour                 // interval of questions, because oscillators drift apart
	soundLife  = time.Minute               // time without a claimed leader after which the carried time is not trusted
	tolerated  = 200 * cluster.Millisecond // lag of the state's clock behind the leader's that is tolerated
	steering   = 20                        // a leader corrects the time by at most one part in 20 of what passed
	offerLife  = 10 * time.Second          // after which an offer of the lead has come to nothing
)

// maxDisagreement is the largest difference between this machine's clock and the cluster's at which it leads while
// another manager can.
const maxDisagreement = 5 * cluster.Second

// clusterClock is the cluster's clock as a replica sees it.
type clusterClock struct {
	mu    sync.Mutex
	shown cluster.Time  // last time shown by the state, or by this leader; zero: none yet
	set   uint64        // State.TimeSet that shown belongs to
	at    time.Duration // when it was shown, since this machine's boot
	asked time.Duration // when the leader was asked for the time; zero: never
	heard time.Duration // when a claimed leader was last known
	known bool          // an answer has come, or the time for one has passed
}

// ask records that the leader was asked for its time, and that the state is up to date.
func (c *clusterClock) ask(s *cluster.State, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.heard = at, at
	if c.adjust(s, at) && !c.known {
		c.shown, c.at = max(s.Now, c.carry(at)), at
	}
}

// begin starts the clock of a replica that is about to lead. A time from before the last SetTime is ignored.
func (c *clusterClock) begin(now cluster.Time, set uint64, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set >= c.set {
		c.shown, c.at, c.set = now, at, set
	}
}

// lead records that this replica leads, so its carried time is the cluster's.
func (c *clusterClock) lead(at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.heard, c.known = at, at, true
}

// follow continues from the state's time if SetTime has changed it since.
func (c *clusterClock) follow(s *cluster.State, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.adjust(s, at)
}

// adjust is follow for callers that hold the lock. It reports whether the state's time counts: a state that another
// goroutine read before the last SetTime shows a time of the old clock.
func (c *clusterClock) adjust(s *cluster.State, at time.Duration) bool {
	if s.TimeSet > c.set {
		c.shown, c.at, c.set = s.Now, at, s.TimeSet
	}
	return s.TimeSet == c.set
}

// steer corrects the leader's carried time slowly towards its machine's clock, and never lets it lag behind the
// state's. It returns how far the machine's clock is ahead.
func (c *clusterClock) steer(machine cluster.Time, s *cluster.State, at time.Duration) cluster.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	var least cluster.Time
	if c.adjust(s, at) {
		least = s.Now
	}
	now := c.carry(at)
	ahead, most := machine-now, (now-c.shown)/steering
	c.shown, c.at, c.heard = max(now+min(max(ahead, -most), most), least), at, at
	return ahead
}

// see takes the state's time as a sample. Each sample lags behind the leader's time by its transmission delay, so the
// sample that is furthest ahead is the best. A sample that lags by more than a leader can have steered is outdated:
// this replica stood still, or nothing happened.
func (c *clusterClock) see(s *cluster.State, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.adjust(s, at) {
		return
	}
	fresh := s.Now != c.shown
	lag, most := c.carry(at)-s.Now, cluster.Time(0)
	if at-c.at > sampleLife {
		most = cluster.Time((at - c.at).Microseconds()) / steering
	}
	if fresh && lag <= most {
		c.shown, c.at = s.Now, at
	}
	if !c.known {
		c.known = c.asked != 0 && (fresh && lag <= most || at-c.asked > answerTime)
	}
}

// carry returns the shown time carried forward; zero before the first sample.
func (c *clusterClock) carry(at time.Duration) cluster.Time {
	if c.shown == 0 {
		return 0
	}
	return c.shown + cluster.Time(max(0, at-c.at).Microseconds())
}

// hear records that there is a claimed leader.
func (c *clusterClock) hear(at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = at
}

// now returns the cluster's time, and false if it is not certain enough to stamp a command. It becomes uncertain after
// a long time without a leader: if all managers' machines were suspended together, as virtual ones can be, each would
// otherwise distrust its own clock.
func (c *clusterClock) now(at time.Duration) (cluster.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known && at-c.heard > soundLife {
		c.known, c.asked = false, 0
	}
	return c.carry(at), c.known
}

// reading returns the cluster's time and the State.TimeSet that it belongs to.
func (c *clusterClock) reading(at time.Duration) (now cluster.Time, set uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.carry(at), c.set
}

// forsaken reports whether this replica has known no claimed leader for longer than soundLife. Then any manager must
// lead.
func (c *clusterClock) forsaken(at time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return at-c.heard > soundLife
}

// stale reports whether the leader should be asked for the time.
func (c *clusterClock) stale(at time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked == 0 || at-c.asked > askAgain
}

// synchronize keeps a follower's cluster clock. It asks once, by a command without a time, so that the leader shows its
// own time if the state's is behind.
func (m *Manager) synchronize(ctx context.Context, leader, term uint64) {
	if m.time.stale(m.elapsed()) {
		m.askTime(ctx, leader, term)
	}
	state := m.store.Latest()
	if state.Leader == leader && state.Term == term {
		m.time.hear(m.elapsed())
	}
	m.time.see(state, m.elapsed())
}

// askTime asks a claimed leader for the time. The silence of an unclaimed one means nothing: it would make the
// cluster's last active time pass for the present, and then nobody could lead.
func (m *Manager) askTime(ctx context.Context, leader, term uint64) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	state, err := m.store.Read(ctx)
	if err != nil || state.Leader != leader || state.Term != term {
		return // the next call asks again
	}
	question := cluster.Command{Actor: system, Epoch: state.Epoch, Action: cluster.Checkpoint{Revision: state.Revision}}
	if _, err := m.submit(ctx, question); err == nil {
		m.time.ask(state, m.elapsed())
	}
}

// startTime prepares this replica to stamp as the leader: by its machine's clock, or by the cluster's time if the two
// disagree.
func (m *Manager) startTime(state *cluster.State) {
	start := m.machineTime()
	if clockProblem(m.disagreement(state.Now)) != "" {
		start, _ = m.time.reading(m.elapsed())
	}
	m.time.begin(max(start, state.Now), state.TimeSet, m.elapsed())
}

// mustLead reports whether this replica leads although its machine's clock disagrees, because no other will.
func (m *Manager) mustLead() bool {
	return len(m.store.Known()) == 1 || m.time.forsaken(m.elapsed())
}

// offer is a leader's offer of the lead to another manager; zero: none.
type offer struct {
	term uint64
	at   time.Duration
}

// keepTime steers the cluster's clock while this replica leads. If its machine's clock jumps, it offers the lead to
// another manager, and keeps leading by the cluster's time until the other takes over. An offer that comes to nothing
// is repeated to the next manager. One that was taken is not: if the lead has come back, nobody's clock is better.
func (m *Manager) keepTime(ctx context.Context) {
	state := m.store.Latest()
	if state.TimeSet != m.timeSet { // they hold times of the clock before
		m.timeSet, m.backoff, m.overdue = state.TimeSet, scheduler.Backoff{}, scheduler.Refused{}
	}
	problem := clockProblem(m.time.steer(m.machineTime(), state, m.elapsed()))
	lapsed := m.offered.term == m.term && m.elapsed()-m.offered.at > offerLife
	switch {
	case problem == "":
		m.offered = offer{}
	case m.offered == (offer{}) || lapsed:
		m.offered = offer{m.term, m.elapsed()}
		m.log.Error().AnErr("handed over", m.store.HandOver(ctx)).Msg(problem)
	}
}

// showTime returns the leader's proposal when another command has left the state's clock behind the leader's, or when
// the lag approaches the most that one command may make up for.
func (m *Manager) showTime(v *cluster.Snapshot) cluster.Action {
	behind := m.now() - v.Now
	if v.Revision == m.shown && (!v.SetsTime() || behind <= cluster.MaxStep/2) {
		return nil
	}
	m.shown = v.Revision
	switch {
	case behind > cluster.MaxStep && v.SetsTime(): // the cluster stood still
		return cluster.SetTime{To: m.now()}
	case behind > tolerated:
		return cluster.Checkpoint{Revision: v.Revision}
	}
	return nil
}

// disagreement returns how far this machine's clock is ahead of the cluster's. While nobody led it shows only a lag.
func (m *Manager) disagreement(shown cluster.Time) cluster.Time {
	if now, known := m.time.now(m.elapsed()); known {
		return m.machineTime() - max(now, shown)
	}
	return min(0, m.machineTime()-shown)
}

// clockProblem describes a disagreement of this machine's clock with the cluster's; "" if none is known.
func clockProblem(ahead cluster.Time) string {
	side := "ahead of"
	if ahead < 0 {
		ahead, side = -ahead, "behind"
	}
	if ahead <= maxDisagreement {
		return ""
	}
	return fmt.Sprintf("this machine's clock is %.1f s %s the cluster's; it will lead only if no other manager can; "+
		"correct the clock, or, if the cluster's time is wrong, run: aliquot manager set-time", ahead.Seconds(), side)
}

// learnTime waits until this replica knows the cluster's time well enough to stamp a command that any replica may
// propose. A replica that has just started may have to wait.
func (m *Manager) learnTime(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	for m.epoch.Load() == 0 {
		if _, known := m.time.now(m.elapsed()); known {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: this manager does not know the cluster's time yet", web.ErrNoLeader)
		case <-time.After(leastSleep):
		}
	}
	return nil
}

// stamped returns a command stamped with the cluster's time, without the parts that an older program could not read.
func (m *Manager) stamped(actor cluster.Actor, a cluster.Action) cluster.Command {
	now, set := m.time.reading(m.elapsed())
	return cluster.Command{At: now, TimeSet: set, Actor: actor,
		Action: cluster.Within(a, m.store.Latest().Format)}
}

// machineTime returns the time of this machine's clock.
func (m *Manager) machineTime() cluster.Time { return cluster.Time(m.cfg.Wall().UnixMicro()) }

// now returns the cluster's time.
func (m *Manager) now() cluster.Time {
	now, _ := m.time.reading(m.elapsed())
	return now
}

// at returns the time for a view of the state.
func (m *Manager) at(state *cluster.State) cluster.Time {
	m.time.follow(state, m.elapsed())
	return m.now()
}
