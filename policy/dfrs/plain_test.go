package dfrs_test

import (
	"fmt"
	"maps"
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/policy"
)

// plain makes the family's decisions without any regard to speed. The real code must make the same.
type plain struct {
	greedy, preempt, move, restart bool // on submission, and *
	packOnSubmission, packOnEnd    bool
	period, minvt, minft           cluster.Time // period is 0 without ticks

	v       *cluster.View
	at      map[cluster.JobID][]cluster.NodeID
	victims map[cluster.JobID][]cluster.NodeID // victims of this instant, with the nodes that they were on
	room    cluster.Bytes
	ordered []*cluster.Job
}

// sameAsPlain checks that the decision equals the plain one.
func sameAsPlain(p plain) func(*cluster.View, policy.Decision) error {
	return func(v *cluster.View, d policy.Decision) error {
		p := p
		want := p.decide(v)
		for j := range v.Candidates() {
			got, had := "nothing", "nothing"
			if held := d.Target.Get(j.ID); held != nil {
				nodes := slices.DeleteFunc(slices.Sorted(slices.Values(held.Nodes)), func(n cluster.NodeID) bool { return n == 0 })
				got = fmt.Sprint(held.Cap, nodes)
			}
			if share, mapped := want[j.ID]; mapped {
				had = fmt.Sprint(share, slices.Sorted(slices.Values(p.at[j.ID])))
			}
			if got != had {
				return fmt.Errorf("%v holds %s, plainly %s", j.ID, got, had)
			}
		}
		return nil
	}
}

// byPriority orders jobs from the highest priority to the lowest, ties by submission.
func byPriority(a, b *cluster.Job, now cluster.Time) int {
	return policy.ByPriority(a.Priority(now), int(a.ID), b.Priority(now), int(b.ID))
}

func (p *plain) decide(v *cluster.View) map[cluster.JobID]cluster.CPU {
	p.v, p.at, p.victims, p.room, p.ordered = v, map[cluster.JobID][]cluster.NodeID{},
		map[cluster.JobID][]cluster.NodeID{}, v.Spare(), nil
	for j := range v.Candidates() {
		if j.Live() == 0 {
			continue
		}
		p.ordered = append(p.ordered, j)
		if before := p.before(j); len(before) > 0 {
			p.at[j.ID] = before
		}
	}
	slices.SortFunc(p.ordered, func(a, b *cluster.Job) int { return byPriority(a, b, v.At) })
	o := v.Pending()
	tick := p.period > 0 && (o.Rings(cluster.AlarmTick) || v.NextTick() == 0 && v.At%p.period == 0)
	p.relieve()
	arriving := map[cluster.JobID]bool{}
	var displaced []*cluster.Job
	for _, j := range p.ordered {
		if v.Target(j.ID) == nil && slices.Contains(o.Submitted, j.ID) {
			arriving[j.ID] = true
		}
		if v.Target(j.ID) != nil && p.at[j.ID] == nil {
			displaced = append(displaced, j)
		}
	}
	came := len(displaced)+len(arriving) > 0
	if !tick {
		for _, j := range displaced {
			p.submit(j)
		}
	}
	if o.Ended || o.NodesChanged || o.Rings(cluster.AlarmTick) && !tick {
		p.settle(arriving)
	}
	for _, id := range o.Submitted {
		if arriving[id] && !tick {
			delete(arriving, id)
			p.submit(v.Job(id))
			p.settle(arriving)
		}
	}
	if tick || p.packOnSubmission && came || p.packOnEnd && !o.Empty() {
		if !p.pack(false) {
			p.pack(true)
		}
		p.settle(nil)
	}
	p.relieveAgain()
	return p.shares()
}

func (p *plain) before(j *cluster.Job) (nodes []cluster.NodeID) {
	if t := p.v.Target(j.ID); t != nil {
		nodes = slices.DeleteFunc(slices.Clone(t.Nodes), func(n cluster.NodeID) bool { return n == 0 })
	}
	return nodes
}

func (p *plain) offer(n *cluster.Node) cluster.Offer {
	o := n.Capacity()
	if n.Draining || n.Health == cluster.Down {
		o.Memory = 0
	}
	return o
}

// used sums what is mapped to a node.
func (p *plain) used(n cluster.NodeID) (memory cluster.Bytes, need, least cluster.CPU) {
	for _, j := range p.ordered {
		for _, at := range p.at[j.ID] {
			if at == n {
				memory, need, least = memory+p.v.Charge(j.Spec), need+j.Spec.Need, least+j.Spec.MinShare()
			}
		}
	}
	return memory, need, least
}

func (p *plain) over(n cluster.NodeID) bool {
	memory, _, least := p.used(n)
	o := p.offer(p.v.Node(n))
	return memory > o.Memory || least > o.CPU
}

func (p *plain) takes(j *cluster.Job, n *cluster.Node, elsewhere []cluster.NodeID) bool {
	memory, _, least := p.used(n.ID)
	return p.v.Allowing(j)(n) && count(elsewhere, n.ID) < p.most(j, n) && memory+p.v.Charge(j.Spec) <= p.offer(n).Memory &&
		least+j.Spec.MinShare() <= p.offer(n).CPU &&
		!(j.Spec.Placement.Spread && slices.Contains(elsewhere, n.ID))
}

func count(nodes []cluster.NodeID, id cluster.NodeID) (count int) {
	for _, n := range nodes {
		if n == id {
			count++
		}
	}
	return count
}

// most returns how many of the job's tasks may be on the node.
func (p *plain) most(j *cluster.Job, n *cluster.Node) int {
	if p.v.Condition(n) == cluster.NodeOpen {
		return j.Live()
	}
	return stayers(p.v, j, n)
}

// stayers returns how many of the job's tasks may be on a node that takes no new VMs.
func stayers(v *cluster.View, j *cluster.Job, n *cluster.Node) int {
	held, present := 0, 0
	if t := v.Target(j.ID); t != nil {
		held = count(t.Nodes, n.ID)
	}
	for i := range j.Tasks {
		at := j.Tasks[i].Node
		if j.Tasks[i].Present() && !v.Stuck(j) {
			at = cluster.Bound(v, cluster.TaskID{Job: j.ID, Index: i})
		}
		if j.Tasks[i].Present() && at == n.ID {
			present++
		}
	}
	return max(held, present)
}

// all reports whether a packing may put any number of the job's tasks on the node.
func (p *plain) all(j *cluster.Job, n *cluster.Node) bool {
	most := p.most(j, n)
	return most >= j.Live() || j.Spec.Placement.Spread && most > 0
}

func (p *plain) start(j *cluster.Job) bool {
	for range j.Live() {
		best, lowest := cluster.NodeID(0), 0.0
		for n := range p.v.Nodes() {
			_, need, _ := p.used(n.ID)
			load := float64(need+j.Spec.Need) / float64(p.offer(n).CPU)
			if most := n.Ceiling(j.Spec); most < j.Spec.Need {
				load = max(load, float64(j.Spec.Need)/float64(most))
			}
			if p.takes(j, n, p.at[j.ID]) && (best == 0 || load < lowest) {
				best, lowest = n.ID, load
			}
		}
		if best == 0 {
			delete(p.at, j.ID)
			return false
		}
		p.at[j.ID] = append(p.at[j.ID], best)
	}
	return true
}

func (p *plain) couldStart(j *cluster.Job) bool {
	ok := p.start(j)
	delete(p.at, j.ID)
	return ok
}

func (p *plain) restore(j *cluster.Job, nodes []cluster.NodeID) bool {
	for _, n := range nodes {
		memory, _, least := p.used(n)
		if o := p.offer(p.v.Node(n)); memory+p.v.Charge(j.Spec) > o.Memory || least+j.Spec.MinShare() > o.CPU {
			delete(p.at, j.ID)
			return false
		}
		p.at[j.ID] = append(p.at[j.ID], n)
	}
	return true
}

func (p *plain) pausable(j *cluster.Job) bool {
	saves := p.v.Saving(j)
	return !p.v.Stuck(j) && (saves == 0 || saves <= p.room)
}

func (p *plain) relieve() {
	for _, j := range slices.Backward(p.ordered) {
		if p.v.Stuck(j) || !slices.ContainsFunc(p.at[j.ID], p.over) {
			continue
		}
		delete(p.at, j.ID)
		if p.pausable(j) {
			p.room -= p.v.Saving(j)
		} else if !p.start(j) {
			p.at[j.ID] = p.before(j)
		}
	}
}

func (p *plain) relieveAgain() {
	p.room = p.v.Spare()
	for _, j := range p.ordered {
		if p.v.Target(j.ID) != nil && p.at[j.ID] == nil {
			p.room -= p.v.Saving(j)
		}
	}
	for _, j := range slices.Backward(p.ordered) {
		if p.v.Stuck(j) || !slices.ContainsFunc(p.at[j.ID], p.over) {
			continue
		}
		delete(p.at, j.ID)
		switch {
		case p.start(j):
		case p.pausable(j):
			p.room -= p.v.Saving(j)
		default:
			p.at[j.ID] = p.before(j)
		}
	}
}

func (p *plain) submit(j *cluster.Job) {
	if !p.greedy || p.start(j) || !p.preempt {
		return
	}
	held := map[cluster.JobID][]cluster.NodeID{}
	for i := len(p.ordered) - 1; p.ordered[i] != j && !p.couldStart(j); i-- {
		if v := p.ordered[i]; p.at[v.ID] != nil && p.stands(v, j) && p.pausable(v) {
			held[v.ID] = p.at[v.ID]
			p.room -= p.v.Saving(v)
			delete(p.at, v.ID)
		}
	}
	if !p.couldStart(j) {
		for id, nodes := range held {
			p.at[id] = nodes
			p.room += p.v.Saving(p.v.Job(id))
		}
		return
	}
	maps.Copy(p.victims, held)
	p.spare(func(v *cluster.Job) bool { return p.restore(v, p.victims[v.ID]) && p.couldStart(j) })
	p.start(j)
}

// stands reports whether a task of v is on a node that j may use.
func (p *plain) stands(v, j *cluster.Job) bool {
	return slices.ContainsFunc(p.at[v.ID], func(n cluster.NodeID) bool { return p.v.Allowing(j)(p.v.Node(n)) })
}

// spare removes the victims that can be mapped from the list.
func (p *plain) spare(mapped func(*cluster.Job) bool) {
	for _, v := range p.ordered {
		if p.victims[v.ID] == nil {
			continue
		}
		if mapped(v) {
			p.room += p.v.Saving(v)
			delete(p.victims, v.ID)
		} else {
			delete(p.at, v.ID)
		}
	}
}

func (p *plain) settle(arriving map[cluster.JobID]bool) {
	if p.move {
		p.spare(p.start)
	}
	for _, j := range p.ordered {
		if p.restart && p.at[j.ID] == nil && p.victims[j.ID] == nil && !arriving[j.ID] {
			p.start(j)
		}
	}
}

// problem states the jobs, by priority, and the present mapping.
func (p *plain) problem() (problem *packing.Problem, now packing.Mapping, index map[cluster.NodeID]int) {
	problem, index = &packing.Problem{}, map[cluster.NodeID]int{}
	for n := range p.v.Nodes() {
		index[n.ID] = len(problem.Nodes)
		problem.Nodes = append(problem.Nodes, packing.Node{CPU: float64(p.offer(n).CPU),
			Rigid: []float64{float64(p.offer(n).Memory)}})
	}
	for _, j := range p.ordered {
		item := packing.Item{
			Count: j.Live(), Need: float64(j.Spec.Need), MinCPU: float64(j.Spec.MinShare()),
			Rigid:  []float64{float64(p.v.Charge(j.Spec))},
			Spread: j.Spec.Placement.Spread, Label: uint64(j.ID),
		}
		for n := range p.v.Nodes() {
			item.Allowed = append(item.Allowed, p.v.Allowing(j)(n) && p.all(j, n))
			item.Tops = append(item.Tops, float64(n.Ceiling(j.Spec))/float64(j.Spec.Need))
			if item.Allowed[len(item.Allowed)-1] {
				item.Top = max(item.Top, item.Tops[len(item.Tops)-1])
			}
		}
		var at []int
		for _, n := range p.at[j.ID] {
			at = append(at, index[n])
		}
		if slices.ContainsFunc(p.at[j.ID], func(n cluster.NodeID) bool {
			return p.v.Allowing(j)(p.v.Node(n)) && !p.all(j, p.v.Node(n))
		}) {
			pin(&item, at)
		}
		problem.Items, now = append(problem.Items, item), append(now, at)
	}
	return problem, now, index
}

func (p *plain) pack(still bool) bool {
	problem, now, index := p.problem()
	var nodes []cluster.NodeID
	for n := range p.v.Nodes() {
		nodes = append(nodes, n.ID)
		if p.over(n.ID) {
			memory, _, least := p.used(n.ID)
			at := &problem.Nodes[index[n.ID]]
			at.CPU, at.Rigid[0] = max(at.CPU, float64(least)), max(at.Rigid[0], float64(memory))
		}
	}
	for i, j := range p.ordered {
		young := j.VirtualTime(p.v.At) < p.minvt || j.FlowTime(p.v.At) < p.minft
		if now[i] != nil && (still || p.v.Stuck(j) || young || slices.ContainsFunc(p.at[j.ID], p.over)) {
			pin(&problem.Items[i], now[i])
		}
	}
	kept, order := p.order()
	r := packing.Search(problem, order)
	for _, i := range r.Dropped {
		if slices.Contains(order[:kept], i) {
			return false
		}
	}
	clear(p.victims)
	clear(p.at)
	for i, j := range p.ordered {
		for _, n := range r.Mapping[i] {
			p.at[j.ID] = append(p.at[j.ID], nodes[n])
		}
	}
	return true
}

func pin(it *packing.Item, at []int) {
	it.Allowed, it.Pinned, it.Top = nil, at, 1
	for _, n := range at {
		it.Top = min(it.Top, it.Tops[n])
	}
}

// order returns the jobs with those that may not be dropped first.
func (p *plain) order() (kept int, order []int) {
	room, firm, rest := p.room, []int(nil), []int(nil)
	for i, j := range slices.Backward(p.ordered) {
		saves := p.v.Saving(j)
		switch {
		case p.at[j.ID] == nil || saves == 0 && !p.v.Stuck(j):
			rest = append(rest, i)
		case p.pausable(j) && saves <= room:
			room -= saves
			rest = append(rest, i)
		default:
			firm = append(firm, i)
		}
	}
	slices.Reverse(firm)
	slices.Reverse(rest)
	return len(firm), append(firm, rest...)
}

// ceiling returns the most that each task of a job can use where it is.
func (p *plain) ceiling(i int) cluster.CPU {
	j := p.ordered[i]
	most := j.Spec.Need
	for _, n := range p.at[j.ID] {
		most = min(most, p.v.Node(n).Ceiling(j.Spec))
	}
	return most
}

func (p *plain) shares() map[cluster.JobID]cluster.CPU {
	problem, now, _ := p.problem()
	shares := map[cluster.JobID]cluster.CPU{}
	for i, y := range packing.MaxMin(problem, now) {
		if now[i] != nil {
			s := p.ordered[i].Spec
			shares[p.ordered[i].ID] = min(max(cluster.CPU(y*float64(s.Need)+1e-6), s.MinShare()), p.ceiling(i))
		}
	}
	return shares
}
