package cluster

import "slices"

// Touched returns the nodes, in order, whose Orders may differ, apart from the revision, from those of the earlier
// state, so that a leader need not look at all nodes. If before is nil or of another leadership, it returns all nodes.
func (s *State) Touched(before *State) []NodeID {
	d := &difference{old: before, now: s, nodes: map[NodeID]bool{}}
	if before == nil || before.Epoch != s.Epoch || before.Generation != s.Generation || before.Cluster != s.Cluster {
		for n := range s.Nodes() {
			d.nodes[n.ID] = true
		}
	} else {
		d.compareJobs()
		d.compareMoves()
		d.compareCores()
		d.compareNodes()
	}
	delete(d.nodes, 0)
	list := make([]NodeID, 0, len(d.nodes))
	for id := range d.nodes {
		list = append(list, id)
	}
	slices.Sort(list)
	return list
}

// difference collects the nodes for which two states differ.
type difference struct {
	old, now *State
	nodes    map[NodeID]bool
}

// compareJobs relies on jobs never being changed in place: an identical pointer means an unchanged job.
func (d *difference) compareJobs() {
	for _, j := range d.now.jobs.since(d.old.jobs) {
		d.compareTasks(j.old, j.now)
	}
}

// compareTasks compares the tasks of a job. Either job may be nil.
func (d *difference) compareTasks(old, now *Job) {
	var was, are []Task
	if old != nil {
		was = old.Tasks
	}
	if now != nil {
		are = now.Tasks
	}
	for i := range max(len(was), len(are)) {
		if i < len(was) && i < len(are) && was[i] == are[i] {
			continue
		}
		if i < len(was) {
			d.nodes[was[i].Node] = true
		}
		if i < len(are) {
			d.nodes[are[i].Node] = true
		}
	}
}

func (d *difference) compareMoves() {
	for m := range d.now.Moves() {
		if old := d.old.Move(m.Task); old != m {
			d.touchEnds(old)
			d.touchEnds(m)
		}
	}
	for old := range d.old.Moves() {
		if d.now.Move(old.Task) == nil {
			d.touchEnds(old)
		}
	}
}

// compareCores touches the nodes of VMs that may be bound to other processors than before.
func (d *difference) compareCores() {
	for _, p := range d.now.TargetAll().Since(d.old.TargetAll()) {
		for _, q := range p {
			if q == nil || q.Cores == nil {
				continue
			}
			for _, id := range q.Nodes {
				d.nodes[id] = true
			}
		}
	}
}

func (d *difference) touchEnds(m *Move) {
	if m != nil {
		d.nodes[m.From], d.nodes[m.To] = true, true
	}
}

// compareNodes also touches the peers whose orders mention the node. Nodes with strays are always touched, because
// whether a stray is over depends on jobs elsewhere.
func (d *difference) compareNodes() {
	for id := range d.now.astray.all() {
		d.nodes[id] = true
	}
	for id, n := range d.now.nodes.since(d.old.nodes) {
		old, now := n.old, n.now
		if old == nil || len(old.Strays) > 0 || old.Awaited != now.Awaited || !slices.Equal(old.Condemned, now.Condemned) ||
			old.Description.Slots() != now.Description.Slots() {
			d.nodes[id] = true
		}
		if old == nil || old.Health != now.Health || old.Description.MigrateURI != now.Description.MigrateURI {
			d.touchPeers(id)
		}
	}
}

// touchPeers touches all nodes that share a move with the node.
func (d *difference) touchPeers(id NodeID) {
	for m := range d.now.Moves() {
		if m.From == id || m.To == id {
			d.touchEnds(m)
		}
	}
}
