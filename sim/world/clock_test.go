package world

import (
	"sync"
	"time"

	"aliquot/cluster"
)

// clock compares the cluster's time with the world's. A leader follows its own machine's clock by at most a twentieth
// of the time that passes, and a wrong clock may lead from the start only if no manager knows the time.
type clock struct {
	mu      sync.Mutex
	wrong   map[*managerMachine]time.Time // since when machines' clocks have been wrong
	erred   time.Duration                 // for which clocks were wrong in all
	last    time.Time                     // of the last command
	excused bool                          // nobody could know the time
}

const (
	clockSlack = 3 * time.Second  // beyond what steering can do: agreed differences and delays
	clockLore  = 15 * time.Second // after its start a manager knows the time
	clockLone  = 45 * time.Second // without a command after which managers distrust what they know
)

// started notes that a manager starts with a clock that is wrong by step.
func (c *clock) started(step time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.excused = c.excused || step != 0
}

// stepped notes that the clock of the machine has been set. The caller holds the machine's lock.
func (c *clock) stepped(m *managerMachine, by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since, wrong := c.wrong[m]; wrong {
		c.erred += time.Since(since)
		delete(c.wrong, m)
	}
	if by != 0 {
		c.wrong[m] = time.Now()
	}
}

// allowed returns how far the cluster's time may be wrong now; false: by any time.
func (c *clock) allowed() (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.excused = c.excused || !c.last.IsZero() && now.Sub(c.last) > clockLone
	c.last = now
	erred := c.erred
	for _, since := range c.wrong {
		erred += now.Sub(since)
	}
	return clockSlack + erred/20, !c.excused
}

// dated checks the cluster's time after a command. The cluster's may be behind, because commands take time.
func (c *checks) dated(state *cluster.State) {
	ahead := time.Until(time.UnixMicro(int64(state.Now)))
	if most, judged := c.clock.allowed(); judged && ahead > most {
		c.fail("the cluster's time is %v ahead; at most %v can come of the machines' clocks", ahead, most)
	}
}

// punctual checks in calm that the cluster's time goes on.
func (c *checks) punctual(state *cluster.State) {
	behind := time.Since(time.UnixMicro(int64(state.Now)))
	if most, judged := c.clock.allowed(); judged && behind > most+quietTime {
		c.fail("the cluster's time is %v behind", behind)
	}
}
