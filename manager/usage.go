package manager

import (
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/wire"
)

// usageLife is the age beyond which samples say nothing of the present. Monitors send them every five seconds.
const usageLife = time.Minute

// usage holds the latest sample of each run, in the leader's memory only. A node's new samples replace all its old
// ones, so ended runs are forgotten.
type usage struct {
	mu      sync.RWMutex
	samples map[cluster.RunID]sample
	runs    map[cluster.NodeID][]cluster.RunID
	came    map[cluster.NodeID]time.Duration // when the node's samples arrived, since this machine's boot
	hosts   map[cluster.NodeID]wire.Host
}

// sample is the usage of a run and the progress of its save, restore or migration.
type sample struct {
	web.Usage
	node     cluster.NodeID
	most     cluster.Bytes // greatest part of the save, restore or migration under way that was ever done
	advanced time.Duration // when most was last seen to grow, since the leader's machine booted; 0: never
}

// put takes a node's samples, which arrived at the given time since this machine's boot.
func (u *usage) put(node cluster.NodeID, samples []wire.Usage, now time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.samples == nil {
		u.samples, u.runs = map[cluster.RunID]sample{}, map[cluster.NodeID][]cluster.RunID{}
		u.came = map[cluster.NodeID]time.Duration{}
	}
	before := map[cluster.RunID]sample{}
	for _, run := range u.runs[node] {
		if s := u.samples[run]; s.node == node { // another node may have the run since
			before[run] = s
			delete(u.samples, run)
		}
	}
	runs := make([]cluster.RunID, 0, len(samples))
	for _, s := range samples {
		at, old := cluster.Time(s.At.UnixMicro()), before[s.Run]
		next := sample{Usage: web.Usage{CPU: s.CPU, Memory: s.Memory, At: at}, node: node, advanced: old.advanced}
		if s.Progress != (wire.Progress{}) {
			next.most = max(old.most, s.Progress.Done)
		}
		if next.most > old.most {
			next.advanced = now // the node's own clock may be wrong
		}
		u.samples[s.Run] = next
		runs = append(runs, s.Run)
	}
	u.runs[node], u.came[node] = runs, now
}

// putHost takes a node's sample of its machine. It arrived with the node's other samples.
func (u *usage) putHost(node cluster.NodeID, h wire.Host) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.hosts == nil {
		u.hosts = map[cluster.NodeID]wire.Host{}
	}
	u.hosts[node] = h
}

// host returns the latest sample of the node's machine; false if there is none or it is too old.
func (u *usage) host(node cluster.NodeID, now time.Duration) (web.Host, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	h := u.hosts[node]
	if now-u.came[node] > usageLife {
		h = wire.Host{}
	}
	return web.Host(h), h != wire.Host{}
}

// clear forgets all samples, when this manager no longer leads.
func (u *usage) clear() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.samples, u.runs, u.came, u.hosts = nil, nil, nil, nil
}

// drop forgets the samples of nodes that were removed.
func (u *usage) drop(removed func(cluster.NodeID) bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for node, runs := range u.runs {
		if !removed(node) {
			continue
		}
		for _, run := range runs {
			if u.samples[run].node == node {
				delete(u.samples, run)
			}
		}
		delete(u.runs, node)
		delete(u.came, node)
		delete(u.hosts, node)
	}
}

// advanced returns when a save, restore or migration of the run last made progress, since this machine's boot.
func (u *usage) advanced(run cluster.RunID) time.Duration {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.samples[run].advanced
}

func (u *usage) get(run cluster.RunID) (web.Usage, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	s, ok := u.samples[run]
	return s.Usage, ok
}

// recent returns the latest sample of the run unless it is too old. A node that is silent does not go on to use CPU.
func (u *usage) recent(run cluster.RunID, now time.Duration) (web.Usage, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	if s, ok := u.samples[run]; ok && now-u.came[s.node] <= usageLife {
		return s.Usage, true
	}
	return web.Usage{}, false
}

// byNode returns the total usage of the runs on each node whose samples are not too old.
func (u *usage) byNode(now time.Duration) map[cluster.NodeID]float64 {
	u.mu.RLock()
	defer u.mu.RUnlock()
	sums := map[cluster.NodeID]float64{}
	for node, runs := range u.runs {
		if now-u.came[node] > usageLife {
			continue
		}
		sums[node] = 0
		for _, run := range runs {
			if s := u.samples[run]; s.node == node {
				sums[node] += float64(s.CPU)
			}
		}
	}
	return sums
}
