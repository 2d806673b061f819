package manager

import "testing"

func TestLeadershipIsConfirmedForTheLatestClaimAlone(t *testing.T) {
	w := newWorld(t)
	latest := w.Latest().Epoch
	for name, c := range map[string]struct {
		epoch     uint64
		confirmed bool
	}{"the latest claim": {latest, true}, "an earlier claim": {latest - 1, false}, "no claim": {0, false}} {
		m := &Manager{store: w.store}
		m.epoch.Store(c.epoch)
		if err := m.ForNodes().ConfirmLeadership(t.Context()); (err == nil) != c.confirmed {
			t.Errorf("%s: %v", name, err)
		}
	}
}
