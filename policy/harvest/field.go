package harvest

import (
	"container/heap"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// field is what standard jobs leave on the nodes.
type field struct {
	view  *cluster.View
	sites []site // by node id
}

// site is a node during a decision. The zero site is no node.
type site struct {
	*cluster.Node
	free cluster.Bytes // memory that no placed task takes; negative: too much is taken
	need cluster.CPU   // of the tasks in the foreground, in millicores
	back cluster.CPU   // of those in the background
	open bool          // it takes new VMs
}

// newField returns the nodes with what a decision on the standard jobs leaves there.
func newField(v *cluster.View, d policy.Decision) *field {
	standard := d.Target.Clone()
	for _, r := range d.Refuse {
		standard.Delete(r.Job)
	}
	f := &field{v, make([]site, v.NodeBound())}
	for n := range v.Nodes() {
		s := &f.sites[n.ID]
		condition := v.Condition(n)
		s.Node, s.need, s.open = n, n.Load.Need, condition == cluster.NodeOpen
		if s.free = -n.Load.Memory; condition != cluster.NodeLeaving {
			s.free += n.Capacity().Memory
		}
	}
	for id, change := range standard.Since(v.TargetAll()) {
		f.put(v.Job(id).Spec, change[0], -1)
		f.put(v.Job(id).Spec, change[1], 1)
	}
	return f
}

// put counts the tasks of a placement in the foreground; sign -1 removes them.
func (f *field) put(s *cluster.Spec, p *cluster.Placement, sign int) {
	if p == nil {
		return
	}
	for _, n := range p.Nodes {
		if n != 0 {
			f.sites[n].free -= cluster.Bytes(sign) * f.view.Charge(s)
			f.sites[n].need += cluster.CPU(sign) * s.Need
		}
	}
}

// occupy counts the tasks of a job in the background of nodes; sign -1 removes them.
func (f *field) occupy(j *job, nodes []cluster.NodeID, sign int) {
	for _, n := range nodes {
		f.sites[n].free -= cluster.Bytes(sign) * j.charge
		f.sites[n].back += cluster.CPU(sign) * j.Spec.Need
	}
}

// keep leaves the jobs where they are, the earliest first, as long as the memory there suffices.
func (f *field) keep(jobs []*job) {
	for _, j := range jobs {
		if at := j.at(); j.pinned {
			j.nodes = at
			f.occupy(j, at, 1)
		}
	}
	for _, j := range jobs {
		at := j.at()
		if j.pinned || at == nil || f.view.Mapped(j.ID) == nil {
			continue
		}
		if f.occupy(j, at, 1); slices.ContainsFunc(at, func(n cluster.NodeID) bool { return f.sites[n].free < 0 }) {
			f.occupy(j, at, -1)
			continue
		}
		j.nodes = at
	}
}

// place gives nodes to the jobs that have none, the earliest first, and to those that ought to leave theirs. Without an
// occasion nothing has changed for them.
func (f *field) place(jobs []*job) {
	if f.view.Pending().Empty() {
		return
	}
	for _, j := range jobs {
		leaves := j.pinned && f.view.Mapped(j.ID) == nil
		if j.nodes != nil && !leaves {
			continue
		}
		if nodes := f.find(j); nodes != nil {
			f.occupy(j, j.nodes, -1)
			j.nodes = nodes
			f.occupy(j, nodes, 1)
		}
	}
}

// find returns nodes that have the memory for the job's tasks, in ascending order: those where tasks are, then those
// that would be loaded least; nil: the tasks do not all fit.
func (f *field) find(j *job) (nodes []cluster.NodeID) {
	c := f.choices(j)
	tasks := map[cluster.NodeID]int{}
	take := func(s *site) (full bool) {
		nodes = append(nodes, s.ID)
		s.free, s.back = s.free-j.charge, s.back+j.Spec.Need
		tasks[s.ID]++
		return s.free < j.charge || tasks[s.ID] >= s.most(j)
	}
	for _, n := range j.at() {
		i := slices.IndexFunc(c.sites, func(s site) bool { return s.ID == n })
		if i >= 0 && take(&c.sites[i]) {
			c.sites = slices.Delete(c.sites, i, i+1)
		}
	}
	heap.Init(&c)
	for len(nodes) < j.count && len(c.sites) > 0 {
		if take(&c.sites[0]) {
			heap.Pop(&c)
		} else {
			heap.Fix(&c, 0)
		}
	}
	if len(nodes) < j.count {
		return nil
	}
	slices.Sort(nodes)
	return nodes
}

// choices returns copies of the sites that may take a task of the job.
func (f *field) choices(j *job) choices {
	c, allows := choices{need: j.Spec.Need}, f.view.Allowing(j.Job)
	for i := range f.sites {
		if s := &f.sites[i]; s.Node != nil && allows(s.Node) && s.slots(j) > 0 {
			c.sites = append(c.sites, *s)
		}
	}
	return c
}

// slots returns the number of tasks of the job that may be on the site and that it has the memory for.
func (s *site) slots(j *job) int { return min(s.most(j), int(max(0, s.free)/j.charge)) }

// most returns the number of tasks of the job that may be on the site. A site that takes no new VMs may keep those that
// it has.
func (s *site) most(j *job) int {
	most := j.count
	if j.Spec.Placement.Spread {
		most = 1
	}
	if !s.open {
		most = min(most, j.staying(s.ID))
	}
	return most
}

// rise lets jobs that may run in either tier into the foreground where the CPU suffices for all tasks there, the
// earliest first. The others are in the background.
func (f *field) rise(jobs []*job) {
	for _, j := range jobs {
		j.tier, j.cap = cluster.Background, f.most(j)
		if j.nodes == nil || j.Spec.Class != cluster.EitherClass {
			continue
		}
		f.raise(j, 1)
		if slices.ContainsFunc(j.nodes, f.short) {
			f.raise(j, -1)
			continue
		}
		j.tier, j.cap = cluster.Foreground, f.ceiling(j)
	}
}

// ceiling returns the most that a task of the job can use on each of its nodes, in millicores.
func (f *field) ceiling(j *job) cluster.CPU {
	most := j.Spec.Need
	for _, n := range j.nodes {
		most = min(most, f.sites[n].Ceiling(j.Spec))
	}
	return most
}

// most returns the most that a background task of the job can have on each of its nodes, in millicores: what it can
// use there, and no more than a node offers. A node's kernel may refuse a larger cap.
func (f *field) most(j *job) cluster.CPU {
	most := f.ceiling(j)
	for _, n := range j.nodes {
		most = min(most, f.sites[n].Description.CPU)
	}
	return max(most, j.Spec.MinShare())
}

// raise moves the tasks of the job to the foreground; sign -1 moves them back.
func (f *field) raise(j *job, sign int) {
	for _, n := range j.nodes {
		f.sites[n].need += cluster.CPU(sign) * j.Spec.Need
		f.sites[n].back -= cluster.CPU(sign) * j.Spec.Need
	}
}

// short reports whether the node has too little CPU for the tasks in its foreground.
func (f *field) short(n cluster.NodeID) bool {
	return f.sites[n].need > f.sites[n].Capacity().CPU
}

// choices is a heap of sites by their load with one more task of that need, then by node.
type choices struct {
	need  cluster.CPU
	sites []site
}

func (c choices) load(i int) float64 {
	s := &c.sites[i]
	return float64(s.need+s.back+c.need) / float64(max(1, s.Capacity().CPU))
}

// Len implements heap.Interface.
func (c choices) Len() int { return len(c.sites) }

// Less implements heap.Interface.
func (c choices) Less(i, j int) bool {
	x, y := c.load(i), c.load(j)
	return x < y || x == y && c.sites[i].ID < c.sites[j].ID
}

// Swap implements heap.Interface.
func (c choices) Swap(i, j int) { c.sites[i], c.sites[j] = c.sites[j], c.sites[i] }

// Push implements heap.Interface.
func (c *choices) Push(any) { panic("harvest: sites are not added") }

// Pop implements heap.Interface.
func (c *choices) Pop() any {
	last := len(c.sites) - 1
	s := c.sites[last]
	c.sites = c.sites[:last]
	return s
}
