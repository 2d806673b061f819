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

// Every replica stamps its proposals with the cluster's time as State showed it last, carried forward by the time since the
// machine's boot, sleep included. The clock of a machine that is set moves nothing: only the leader's steers the cluster's,
// slowly.
const (
	answerTime = time.Second               // for the leader's answer to what time it is; silence means that State's is right
	askTime    = 2 * time.Second           // for the question to get through
	sampleLife = time.Minute               // then a later sample is taken although its way here took longer
	askAgain   = time.Hour                 // oscillators drift apart
	soundLife  = time.Minute               // without a leader that has claimed, after which nothing vouches for the carried time
	tolerated  = 200 * cluster.Millisecond // of State's clock behind the leader's, when others' commands come
	steering   = 20                        // the leader's machine's clock moves the cluster's by one part in so many of the time that passed
)

// maxDisagreement is how far this machine's clock may be from the cluster's for it to lead as long as another manager can.
const maxDisagreement = 5 * cluster.Second

// clusterClock is the cluster's clock as a replica sees it.
type clusterClock struct {
	mu    sync.Mutex
	shown cluster.Time  // by State, or by this replica that leads; zero: nothing yet
	set   uint64        // State.TimeSet by which it is
	at    time.Duration // since this machine's boot
	asked time.Duration // when the leader was asked what time it is; zero: never
	heard time.Duration // when there was last a leader that had claimed
	known bool          // an answer has come, or time enough for one has passed
}

// ask notes that all that was known before is in State, which shows the given time, and that the leader was asked for its own.
func (c *clusterClock) ask(shown cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.heard = at, at
	if !c.known {
		c.shown, c.at = shown, at
	}
}

// begin makes the given time the cluster's, for a replica that is about to lead.
func (c *clusterClock) begin(now cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown, c.at = now, at
}

// lead notes that this replica leads, so that its clock is the cluster's.
func (c *clusterClock) lead(at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.heard, c.known = at, at, true
}

// follow goes on from the state's time if that was set since.
func (c *clusterClock) follow(s *cluster.State, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.TimeSet > c.set {
		c.shown, c.at, c.set = s.Now, at, s.TimeSet
	}
}

// steer brings the clock of the replica that leads nearer to that of its machine, and not behind State's. It returns how far
// the machine's is ahead.
func (c *clusterClock) steer(machine, state cluster.Time, at time.Duration) cluster.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.carry(at)
	ahead, most := machine-now, (now-c.shown)/steering
	c.shown, c.at, c.heard = max(now+min(max(ahead, -most), most), state), at, at
	return ahead
}

// see takes a sample. The leader's time is a little ahead of each, by the way from there to here, so that of several
// the one that is furthest ahead is the best.
func (c *clusterClock) see(shown cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := shown != c.shown
	if !c.known {
		if fresh {
			c.shown, c.at = shown, at
		}
		c.known = c.asked != 0 && (fresh || at-c.asked > answerTime)
		return
	}
	if fresh && (shown > c.carry(at) || at-c.at > sampleLife) {
		c.shown, c.at = shown, at
	}
}

// carry is the shown time carried forward; zero before the first.
func (c *clusterClock) carry(at time.Duration) cluster.Time {
	if c.shown == 0 {
		return 0
	}
	return c.shown + cluster.Time(max(0, at-c.at).Microseconds())
}

// hear notes that there is a leader that has claimed.
func (c *clusterClock) hear(at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = at
}

// now is the cluster's time; false if it is not known well enough to stamp a command with. Long without a leader it is not
// any more: had all managers' machines stood still together, as virtual ones can, each would take its own clock for wrong.
func (c *clusterClock) now(at time.Duration) (cluster.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known && at-c.heard > soundLife {
		c.known, c.asked = false, 0
	}
	return c.carry(at), c.known
}

// reading is the cluster's time, and the State.TimeSet by which it is.
func (c *clusterClock) reading(at time.Duration) (now cluster.Time, set uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.carry(at), c.set
}

// forsaken reports whether no leader has claimed for so long that any manager must lead.
func (c *clusterClock) forsaken(at time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return at-c.heard > soundLife
}

// stale tells whether the leader is to be asked.
func (c *clusterClock) stale(at time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked == 0 || at-c.asked > askAgain
}

// synchronize keeps the cluster's clock of a replica that follows a leader. It asks once, by a command without a time,
// which makes the leader show its own if State's is behind.
func (m *Manager) synchronize(ctx context.Context, leader, term uint64) {
	if m.time.stale(m.elapsed()) {
		m.askTime(ctx, leader, term)
	}
	state := m.store.Latest()
	if state.Leader == leader && state.Term == term {
		m.time.hear(m.elapsed())
	}
	m.time.follow(state, m.elapsed())
	m.time.see(state.Now, m.elapsed())
}

// askTime asks a leader that has claimed. The silence of one that has not, and perhaps will not, means nothing: it would make the
// time at which the cluster was last at work pass for the present one, and nobody could lead.
func (m *Manager) askTime(ctx context.Context, leader, term uint64) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	state, err := m.store.Read(ctx)
	if err != nil || state.Leader != leader || state.Term != term {
		return // it is asked again
	}
	question := cluster.Command{Actor: system, Epoch: state.Epoch, Action: cluster.Checkpoint{Revision: state.Revision}}
	if _, err := m.submit(ctx, question); err == nil {
		m.time.ask(state.Now, m.elapsed())
	}
}

// startTime makes ready to stamp as the leader: from this machine's clock, or, where that contradicts the cluster's time, from
// the latter.
func (m *Manager) startTime(state *cluster.State) {
	start := m.machineTime()
	if clockProblem(m.disagreement(state.Now)) != "" {
		start, _ = m.time.reading(m.elapsed())
	}
	m.time.begin(max(start, state.Now), m.elapsed())
}

// mustLead reports whether no other manager will lead, so that this one does by the cluster's time, although its machine's
// clock disagrees.
func (m *Manager) mustLead() bool {
	return len(m.store.Known()) == 1 || m.time.forsaken(m.elapsed())
}

// keepTime steers the cluster's clock while this replica leads. Where its machine's clock was set, the lead is offered to
// another manager once; until one takes it, this one goes on by the cluster's time.
func (m *Manager) keepTime(ctx context.Context) {
	state := m.store.Latest()
	m.time.follow(state, m.elapsed())
	if state.TimeSet != m.timeSet { // they count by the clock before
		m.timeSet, m.backoff, m.overdue = state.TimeSet, scheduler.Backoff{}, scheduler.Refused{}
	}
	problem := clockProblem(m.time.steer(m.machineTime(), state.Now, m.elapsed()))
	if problem != "" && !m.jumped {
		m.log.Error().AnErr("handed over", m.store.HandOver(ctx)).Msg(problem)
	}
	m.jumped = problem != ""
}

// showTime is what a leader proposes when somebody else's command has left State's clock behind its own, or when it would
// soon be behind by more than one command may move it.
func (m *Manager) showTime(v *cluster.Snapshot) cluster.Action {
	behind := m.now() - v.Now
	if v.Revision == m.shown && (!v.SetsTime() || behind <= cluster.MaxStep/2) {
		return nil
	}
	m.shown = v.Revision
	switch {
	case behind > cluster.MaxStep && v.SetsTime(): // it stood still for that long
		return cluster.SetTime{To: m.now()}
	case behind > tolerated:
		return cluster.Checkpoint{Revision: v.Revision}
	}
	return nil
}

// disagreement is how far this machine's clock is ahead of the cluster's, as far as that can be told: while nobody led, only that it is behind.
func (m *Manager) disagreement(shown cluster.Time) cluster.Time {
	if now, known := m.time.now(m.elapsed()); known {
		return m.machineTime() - max(now, shown)
	}
	return min(0, m.machineTime()-shown)
}

// clockProblem says what is wrong with this machine's clock or the cluster's; "": nothing is known to be.
func clockProblem(ahead cluster.Time) string {
	side := "ahead of"
	if ahead < 0 {
		ahead, side = -ahead, "behind"
	}
	if ahead <= maxDisagreement {
		return ""
	}
	return fmt.Sprintf("this machine's clock is %.1f s %s the cluster's; set it if it is wrong, or else the cluster's by: "+
		"aliquot manager set-time; it leads only if no other manager can", ahead.Seconds(), side)
}

// learnTime waits until this replica knows the cluster's time well enough to stamp a command that anybody may propose. One
// that has just started may have to wait.
func (m *Manager) learnTime(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	for m.epoch.Load() == 0 {
		if _, known := m.time.now(m.elapsed()); known {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: this manager has not heard yet what time it is", web.ErrNoLeader)
		case <-time.After(leastSleep):
		}
	}
	return nil
}

// stamped returns a command with the cluster's time.
func (m *Manager) stamped(actor cluster.Actor, a cluster.Action) cluster.Command {
	now, set := m.time.reading(m.elapsed())
	return cluster.Command{At: now, TimeSet: set, Actor: actor, Action: a}
}

// machineTime is what this machine's clock shows.
func (m *Manager) machineTime() cluster.Time { return cluster.Time(m.clock().UnixMicro()) }

// now is the cluster's time.
func (m *Manager) now() cluster.Time {
	now, _ := m.time.reading(m.elapsed())
	return now
}

// at is the time to look at the state.
func (m *Manager) at(state *cluster.State) cluster.Time {
	m.time.follow(state, m.elapsed())
	return m.now()
}
