package manager

import (
	"sync"

	"aliquot/cluster"
	"aliquot/web"
)

// maxSamples bounds the samples that are kept, one per run.
const maxSamples = 1_000_000

// usage is the latest sample of each run, in the leader's memory only.
type usage struct {
	mu      sync.RWMutex
	samples map[cluster.RunID]web.Usage
}

func (u *usage) put(run cluster.RunID, s web.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.samples == nil || len(u.samples) >= maxSamples {
		u.samples = map[cluster.RunID]web.Usage{}
	}
	u.samples[run] = s
}

func (u *usage) get(run cluster.RunID) (web.Usage, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	s, ok := u.samples[run]
	return s, ok
}
