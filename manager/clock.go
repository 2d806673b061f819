package manager

import (
	"context"
	"fmt"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/web"
)

// Only the leader's clock moves the cluster's. A replica that follows stamps what it proposes with the cluster's time as
// State showed it last, carried forward by the time since the machine's boot, sleep included: where its own clock stands does not matter.
const (
	answerTime = time.Second               // for the leader's answer to what time it is; silence means that State's is right
	askTime    = 2 * time.Second           // for the question to get through
	sampleLife = time.Minute               // then a later sample is taken although its way here took longer
	askAgain   = time.Hour                 // oscillators drift apart
	soundLife  = time.Minute               // without a leader that has claimed, after which nothing vouches for the carried time
	tolerated  = 200 * cluster.Millisecond // of State's clock behind the leader's, when others' commands come
)

// maxDisagreement is how far this machine's clock may be from the cluster's for it to lead.
const maxDisagreement = 5 * cluster.Second

// clusterClock is the cluster's clock as seen by a replica that does not move it.
type clusterClock struct {
	mu    sync.Mutex
	shown cluster.Time  // by State; zero: nothing yet
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

// lead notes that this replica led until now, so that its own clock is the cluster's.
func (c *clusterClock) lead(now cluster.Time, at time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown, c.at, c.asked, c.heard, c.known = now, at, at, at, true
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

// showTime is what a leader proposes when somebody else's command has left State's clock behind its own.
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

// disagreement is how far this machine's clock is ahead of the cluster's, as far as that can be told: while nobody led, only that it is behind.
func (m *Manager) disagreement(shown cluster.Time) cluster.Time {
	if now, known := m.time.now(m.elapsed()); known {
		return m.now() - max(now, shown)
	}
	return min(0, m.now()-shown)
}

// clockProblem says what is wrong with this machine's clock; "": nothing is known to be.
func clockProblem(ahead cluster.Time) string {
	switch {
	case ahead > maxDisagreement:
		return fmt.Sprintf("this machine's clock is %.1f s ahead of the cluster's; it does not lead until the clock is set", ahead.Seconds())
	case ahead < -maxDisagreement:
		return fmt.Sprintf("this machine's clock is %.1f s behind the cluster's; it does not lead until the clock is set", (-ahead).Seconds())
	}
	return ""
}

// stamp returns the time for a command that anybody may propose. A replica that has just started may have to wait for it.
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
			return 0, fmt.Errorf("%w: this manager has not heard yet what time it is", web.ErrNoLeader)
		case <-time.After(leastSleep):
		}
	}
}

// at is the time to look at the state.
func (m *Manager) at() cluster.Time {
	if m.epoch.Load() != 0 {
		return m.now()
	}
	now, _ := m.time.now(m.elapsed())
	return now
}
