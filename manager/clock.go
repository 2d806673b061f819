package manager

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/web"
)

// Only the leader's clock moves the cluster's clock. A follower stamps its proposals with the last cluster time shown
// by the state, carried forward by the time since the machine's boot, sleep included. Its own clock does not matter.
const (
	answerTime = time.Second               // for the leader's answer to a question for the time
	askTime    = 2 * time.Second           // for the question to be committed
	sampleLife = time.Minute               // after which any new sample replaces the old one
	askAgain   = time.Hour                 // interval of questions, because oscillators drift apart
	soundLife  = time.Minute               // time without a claimed leader after which the carried time is not trusted
	tolerated  = 200 * cluster.Millisecond // lag of the state's clock behind the leader's that is tolerated
)

// maxDisagreement is the largest difference between this machine's clock and the cluster's at which it may lead.
const maxDisagreement = 5 * cluster.Second

// clusterClock is the cluster's clock as seen by a replica that does not lead.
type clusterClock struct {
	mu    sync.Mutex
	shown cluster.Time  // last time shown by the state; zero: none yet
	at    time.Duration // when it was shown, since this machine's boot
	asked time.Duration // when the leader was asked for the time; zero: never
	heard time.Duration // when a claimed leader was last known
	known bool          // an answer has come, or the time for one has passed
}

// ask records that the leader was asked for its time, and that the state, which shows the given time, is up to date.
func (c *clusterClock) ask(shown cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.heard = at, at
	if !c.known {
		c.shown, c.at = shown, at
	}
}

// lead records that this replica led until now, so its own clock is the cluster's.
func (c *clusterClock) lead(now cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown, c.at, c.asked, c.heard, c.known = now, at, at, at, true
}

// see takes a sample. Each sample lags behind the leader's time by its transmission delay, so the sample that is
// furthest ahead is the best.
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
	m.time.see(state.Now, m.elapsed())
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
		m.time.ask(state.Now, m.elapsed())
	}
}

// showTime returns the leader's proposal when another command has left the state's clock behind the leader's.
func (m *Manager) showTime(v *cluster.Snapshot) cluster.Action {
	if v.Revision == m.shown {
		return nil
	}
	m.shown = v.Revision
	if m.now()-v.Now <= tolerated {
		return nil
	}
	return cluster.Checkpoint{Revision: v.Revision}
}

// disagreement returns how far this machine's clock is ahead of the cluster's. While nobody led it shows only a lag.
func (m *Manager) disagreement(shown cluster.Time) cluster.Time {
	if now, known := m.time.now(m.elapsed()); known {
		return m.now() - max(now, shown)
	}
	return min(0, m.now()-shown)
}

// clockProblem describes a wrong clock of this machine; "" if no problem is known.
func clockProblem(ahead cluster.Time) string {
	switch {
	case ahead > maxDisagreement:
		return fmt.Sprintf("this machine's clock is %.1f s ahead of the cluster's; "+
			"it will not lead until the clock is corrected", ahead.Seconds())
	case ahead < -maxDisagreement:
		return fmt.Sprintf("this machine's clock is %.1f s behind the cluster's; "+
			"it will not lead until the clock is corrected", (-ahead).Seconds())
	}
	return ""
}

// stamp returns the time for a command that any replica may propose. A replica that has just started may have to wait.
func (m *Manager) stamp(ctx context.Context) (cluster.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	for {
		if m.epoch.Load() != 0 {
			return m.now(), nil
		}
		if now, known := m.time.now(m.elapsed()); known {
			return now, nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("%w: this manager does not know the cluster's time yet", web.ErrNoLeader)
		case <-time.After(leastSleep):
		}
	}
}

// at returns the time for a view of the state.
func (m *Manager) at() cluster.Time {
	if m.epoch.Load() != 0 {
		return m.now()
	}
	now, _ := m.time.now(m.elapsed())
	return now
}
