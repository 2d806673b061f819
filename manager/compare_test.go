package manager

import (
	"errors"
	"strings"
	"testing"
	"time"

	"aliquot/manager/store"
)

func TestStatesAreComparedAtAPaceAndOnlyAfterSomethingHasHappened(t *testing.T) {
	start := time.Unix(1000, 0)
	last := comparison{start, 7}
	for _, step := range []struct {
		after    time.Duration
		revision uint64
		due      bool
	}{{compareEvery - 1, 8, false}, {compareEvery, 8, true}, {compareEvery, 7, false}, {24 * time.Hour, 7, false}} {
		if due := last.due(start.Add(step.after), step.revision); due != step.due {
			t.Errorf("%v later, at revision %d after 7: due %v", step.after, step.revision, due)
		}
	}
}

func TestReplicasThatAgreeGoOnAndAnIdleClusterComparesNoMore(t *testing.T) {
	c := newTrio(t)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	leader := c.leader()
	c.stamped(leader, "something")
	before, now := leader.store.Latest().Revision, time.Now()
	last := leader.compare(t.Context(), comparison{at: now}, now.Add(compareEvery))
	if last.revision < before+2 {
		t.Fatalf("compared at revision %d, which is not two after %d", last.revision, before)
	}
	c.until("nobody asks for the time any more, and so nothing is compared", func() bool {
		again := leader.compare(t.Context(), last, last.at.Add(compareEvery))
		idle := again == last
		last = again
		return idle
	})
	c.stamped(leader, "more")
	if again := leader.compare(t.Context(), last, last.at.Add(compareEvery)); again.revision < last.revision+3 {
		t.Errorf("not compared although something has happened: %+v after %+v", again, last)
	}
	for id, m := range c.all {
		c.until("all have the same revision", func() bool {
			return m.store.Latest().Revision >= leader.store.Latest().Revision
		})
		if err := m.store.(offering).Err(); err != nil {
			t.Errorf("replica %d: %v", id, err)
		}
	}
}

func TestAReplicaWhoseStateDiffersStopsAndTheOthersGoOn(t *testing.T) {
	c := newTrio(t)
	c.start(1, 0)
	c.start(2, 0)
	c.leader()
	c.initial.Policy.Period++
	odd := c.start(3, 0)
	c.until("the third has caught up", func() bool { return odd.store.Latest().Epoch == c.leader().epoch.Load() })
	c.passed.Add(int64(compareEvery))
	c.until("the third stops", func() bool { return odd.store.(offering).Err() != nil })
	if err := odd.store.(offering).Err(); !errors.Is(err, store.ErrHalted) ||
		!strings.Contains(err.Error(), "differs from the leader's") {
		t.Error(err)
	}
	c.stop[3]()
	for id := uint64(1); id <= 2; id++ {
		c.stamped(c.all[id], "after-"+c.members[id].Name)
		if err := c.all[id].store.(offering).Err(); err != nil {
			t.Errorf("replica %d: %v", id, err)
		}
	}
}
