package deadline

import (
	"slices"

	"aliquot/cluster"
)

// seats are the quarters of the nodes that are free, by id, while tasks get theirs.
type seats struct {
	free    []int
	sitting []int            // number of tasks that are there now and may stay, beside a node's free quarters
	order   []cluster.NodeID // the open nodes
	list    []cluster.NodeID // for reuse
}

// levelOf returns the level that a cap is.
func levelOf(share, need cluster.CPU) int {
	return max(1, int((share*Quarters+need/2)/need))
}

// shareOf returns the cap of a level.
func shareOf(level int, s *cluster.Spec) cluster.CPU { return s.Need * cluster.CPU(level) / Quarters }

// floorOf returns the least level at which a task has a share that hypervisors enforce.
func floorOf(s *cluster.Spec) int {
	floor := 1
	for shareOf(floor, s) < s.MinShare() {
		floor++
	}
	return floor
}

// seat places the runs. Wide tasks come first: then all tasks find room if their sum does (crowd.fits). Jobs stay where
// they are if they can, and others rather go where few have to leave for them.
func (d *decision) seat(runs []Run) {
	s := d.seats(runs)
	for level := Quarters; level > 0; level-- {
		var moving []*Run
		for i := range runs {
			if r := &runs[i]; r.Level == level && !s.stay(r, d.Target.Get(r.ID)) {
				moving = append(moving, r)
			}
		}
		for _, r := range moving {
			d.place(r, s.move(r, d.Target.Get(r.ID)))
		}
	}
	for i := range runs {
		d.tell(&runs[i])
	}
}

// tell gives a run that stays its level, and pauses one that has none.
func (d *decision) tell(r *Run) {
	j, held := d.view.Job(r.ID), d.Target.Get(r.ID)
	switch {
	case r.Level == 0:
		if held != nil {
			d.Hold(r.ID, nil)
		}
		d.Explain(j, cluster.WhyNoCPU, int64(shareOf(r.Floor, j.Spec)), 0, int64(r.Tasks))
	case levelOf(held.Cap, j.Spec.Need) != r.Level:
		d.place(r, held.Nodes)
	}
}

func (d *decision) place(r *Run, nodes []cluster.NodeID) {
	j := d.view.Job(r.ID)
	share := shareOf(r.Level, j.Spec)
	d.Hold(r.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(share), Nodes: nodes})
	d.Explain(j, cluster.WhyPlaced, int64(r.Level)*1000/Quarters)
}

func (d *decision) seats(runs []Run) *seats {
	s := &seats{make([]int, d.view.NodeBound()), make([]int, d.view.NodeBound()), d.open, nil}
	for _, n := range d.open {
		s.free[n] = Quarters
	}
	for i := range runs {
		if p := d.Target.Get(runs[i].ID); p != nil {
			for _, n := range p.Nodes {
				s.sitting[n]++
			}
		}
	}
	return s
}

// stay keeps all tasks of the run where they are, if there is room, and reports whether it did.
func (s *seats) stay(r *Run, held *cluster.Placement) bool {
	if held == nil {
		return false
	}
	for i, n := range held.Nodes {
		if s.free[n] -= r.Level; s.free[n] < 0 {
			for _, n := range held.Nodes[:i+1] {
				s.free[n] += r.Level
			}
			return false
		}
	}
	for _, n := range held.Nodes {
		s.sitting[n]--
	}
	return true
}

// move returns nodes for a run that starts, or of which a task has to leave.
func (s *seats) move(r *Run, held *cluster.Placement) (nodes []cluster.NodeID) {
	take := func(n cluster.NodeID) {
		nodes, s.free[n] = append(nodes, n), s.free[n]-r.Level
	}
	if held != nil {
		for _, n := range held.Nodes {
			if s.sitting[n]--; s.free[n] >= r.Level {
				take(n)
			}
		}
	}
	for _, n := range s.ranked() {
		for s.free[n] >= r.Level && len(nodes) < r.Tasks {
			take(n)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// ranked lists the nodes: first those that few tasks have to leave, then those with little room, then by id.
func (s *seats) ranked() []cluster.NodeID {
	var ranks [Quarters + 1][Quarters + 1][]cluster.NodeID
	for _, n := range s.order {
		if f := s.free[n]; f > 0 {
			at := &ranks[min(s.sitting[n], Quarters)][f]
			*at = append(*at, n)
		}
	}
	list := s.list[:0]
	for i := range ranks {
		list = append(list, slices.Concat(ranks[i][:]...)...)
	}
	s.list = list
	return list
}
