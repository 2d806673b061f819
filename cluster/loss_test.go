package cluster

import (
	"testing"
)

// loseAgain starts the job's only task and loses its run, a while after the loss before.
func (b *site) loseAgain(id JobID, wait Time) {
	for end := b.s.Now + wait; b.s.Now < end; {
		b.s.Apply(b.s.Revision+1, Command{At: min(end, b.s.Now+MaxStep), Epoch: b.s.Epoch, Action: Checkpoint{}})
	}
	b.apply(b.placing(int(id)-1, 1, 10))
	b.start(int(id)-1, 1)
	m := b.s.Move(TaskID{Job: id})
	see := func(o Observation) {
		o.Run = RunID{id, 0, m.Run}
		b.apply(Report{Node: m.To, FenceAlive: true, StoreProven: true, StoreFree: 1 << 20 * MiB,
			Observations: []Observation{o}})
	}
	see(Observation{Move: m.ID, Seen: SeenRunning, Cap: m.CPU, Platform: "q35"})
	see(Observation{Seen: SeenLost, Cause: "the node rebooted"})
}

func TestOnlyLossesWithinADayFailAJob(t *testing.T) {
	for _, c := range []struct {
		name   string
		format uint32
		wait   Time
		fails  bool
	}{
		{"three days apart", LatestFormat, 72 * Hour, false},
		{"an hour apart", LatestFormat, Hour, true},
		{"three days apart, as older programs count", FirstFormat, 72 * Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := built(t, 2, 40)
			b.s.Format = c.format
			b.apply(Submit{Spec: specimen()})
			id := b.s.NextJob - 1
			for range maxLosses + 1 {
				b.loseAgain(id, c.wait)
			}
			past := b.s.Ended(id)
			if failed := past != nil && past.Ending.Outcome == Failed; failed != c.fails {
				t.Errorf("after %d losses: failed is %v", maxLosses+1, failed)
			}
			if err := b.s.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
