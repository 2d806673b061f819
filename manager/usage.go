package manager

import (
	"sync"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/wire"
)

// usage is the latest sample of each run, in the leader's memory only. A node's samples
// replace all that it sent before, so that runs that are over are forgotten.
type usage struct {
	mu      sync.RWMutex
	samples map[cluster.RunID]web.Usage
	runs    map[cluster.NodeID][]cluster.RunID
}

func (u *usage) put(node cluster.NodeID, samples []wire.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.samples == nil {
		u.samples, u.runs = map[cluster.RunID]web.Usage{}, map[cluster.NodeID][]cluster.RunID{}
	}
	for _, run := range u.runs[node] {
		delete(u.samples, run)
	}
	runs := make([]cluster.RunID, 0, len(samples))
	for _, s := range samples {
		u.samples[s.Run] = web.Usage{CPU: s.CPU, Memory: s.Memory, At: cluster.Time(s.At.UnixMicro())}
		runs = append(runs, s.Run)
	}
	u.runs[node] = runs
}

func (u *usage) get(run cluster.RunID) (web.Usage, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	s, ok := u.samples[run]
	return s, ok
}
