package cluster

import (
	"fmt"
	"iter"
)

// A shortage tells what is too little for the tasks of a new job over an interval, each by itself.
type shortage struct{ nodes, cpu, memory bool }

// shortage returns what the nodes are short of.
func (b bookings) shortage(spec *Spec, from, until Time) shortage {
	charge := b.Charge(spec)
	all := Offer{CPU: spec.Need * CPU(spec.Tasks), Memory: charge * Bytes(spec.Tasks)}
	var nodes, cpu, memory int // number of tasks for which there is enough
	for n := range b.Nodes() {
		if !b.mayTake(n, spec) || n.Ceiling(spec) < spec.Need || n.closed(from, until) {
			continue
		}
		left := b.left(n, from, until)
		nodes += spec.most(all, charge)
		cpu += spec.most(Offer{CPU: left.CPU, Memory: all.Memory}, charge)
		memory += spec.most(Offer{CPU: all.CPU, Memory: left.Memory}, charge)
	}
	return shortage{nodes < spec.Tasks, cpu < spec.Tasks, memory < spec.Tasks}
}

// explain says what is short, and how much of it the tasks without room ask for.
func (s shortage) explain(b bookings, spec *Spec, missing int, lasts Time) string {
	cpu, memory := coreTime(spec.Need*CPU(missing), lasts), (Bytes(missing) * b.Charge(spec)).Words()
	switch {
	case s.nodes:
		return "too few nodes take VMs then; " + asking(missing, cpu+" and "+memory)
	case s.cpu && s.memory:
		return "CPU and memory are short; " + asking(missing, cpu+" and "+memory)
	case s.cpu:
		return "CPU is short; " + asking(missing, cpu)
	case s.memory:
		return "memory is short; " + asking(missing, memory)
	}
	return "CPU is left on some nodes and memory on others; " + asking(missing, cpu+" and "+memory)
}

// closedNodes counts the nodes that are large enough for a task of a new job but take no promise of a stretch within
// the interval, by state: "; of the nodes that are large enough, 1 is cordoned, 2 down". It returns "" if there are
// none.
func (b bookings) closedNodes(spec *Spec, stretch, from, until Time) string {
	return b.closedAmong(b.Nodes(), func(n *Node) bool { return b.mayTake(n, spec) }, spec, stretch, from, until)
}

// closedAmong is closedNodes for some of the nodes, and for a job that may be promised those that may names.
func (b bookings) closedAmong(nodes iter.Seq[*Node], may func(*Node) bool, spec *Spec,
	stretch, from, until Time) string {
	counts := map[string]int{}
	for n := range nodes {
		has := n.Capacity()
		large := has.Memory >= b.Charge(spec) && has.CPU >= spec.Need && n.Ceiling(spec) >= spec.Need
		open, leaves := may(n), n.leaves(stretch, from, until)
		if n.Absent || !large || !b.Allows(n, spec, "") || open && leaves {
			continue
		}
		switch w := n.InMaintenance(); {
		case open:
			counts["in maintenance"]++
		case w == nil && n.Health != Ready:
			counts[n.Health.String()]++
		case w == nil && n.Draining, w != nil && w.Drain:
			counts["draining"]++
		default:
			counts["cordoned"]++
		}
	}
	var list Tally
	for _, state := range []string{"cordoned", "draining", "in maintenance", "silent", "down"} {
		list.Add(counts[state], state)
	}
	if list == nil {
		return ""
	}
	return "; of the nodes that are large enough, " + list.String()
}

// asking says what the tasks without room ask for.
func asking(missing int, what string) string {
	if missing == 1 {
		return "the task without room asks for " + what
	}
	return fmt.Sprintf("the %d tasks without room ask for %s", missing, what)
}

// A ceiling is what an owner or a project may be promised without a quota: half of the nodes.
type ceiling struct {
	party
	half, has Offer // has: the most that it is promised at a moment of the interval
	most      Use   // of its quota; the half limits only what this does not
}

// ceiling returns the one that leaves a new job least over an interval.
func (b bookings) ceiling(spec *Spec, from, until Time) ceiling {
	if b.fairToProject(spec, from, until) < b.fairToOwner(spec, from, until) {
		return ceiling{party{project: spec.Project}, b.half(), peak(b.shared(spec.Project), from, until),
			b.QuotaOf(spec.Project, "").Most}
	}
	return ceiling{party{owner: spec.Owner}, b.half(), peak(b.owned(spec.Owner), from, until),
		b.QuotaOf("", spec.Owner).Most}
}

// limit says what the party may be promised, as the beginning of a sentence.
func (c ceiling) limit() string {
	text := fmt.Sprintf("without a quota %v may be promised half of the nodes at a time, %v of CPU and %s,", c.party,
		c.half.CPU, c.half.Memory.Words())
	if c.has != (Offer{}) {
		text += fmt.Sprintf(" has %v and %s of it already,", c.has.CPU, c.has.Memory.Words())
	}
	return text + " which leaves"
}

// short says by how much the ceiling is too low for a new job.
func (c ceiling) short(b bookings, spec *Spec) string {
	cpu := spec.Need*CPU(spec.Tasks) - max(0, c.half.CPU-c.has.CPU)
	memory := b.Charge(spec)*Bytes(spec.Tasks) - max(0, c.half.Memory-c.has.Memory)
	switch {
	case (cpu <= 0 || c.most.CPU != 0) && memory > 0:
		return "short by " + memory.Words()
	case memory <= 0 || c.most.Memory != 0:
		return fmt.Sprintf("short by %v of CPU", cpu)
	}
	return fmt.Sprintf("short by %v of CPU and %s", cpu, memory.Words())
}
