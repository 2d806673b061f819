package cluster

// Load is the sum of the CPU and memory that tasks take from a node. Plus and Fits are the one law of resources: Apply,
// the simulator's Model, the index of vacancies, Check, and the laws of policies count by them. The planner
// of moves takes from Tier.Grant how much a tier guarantees (docs/decisions/0017).
type Load struct {
	Need       CPU   // of the tasks at full speed, in millicores; it may exceed what the node has
	Guaranteed CPU   // part of their caps that is guaranteed, in millicores; the node must have it
	BestEffort CPU   // part of their caps that is not guaranteed, in millicores; it may exceed what the node has
	Memory     Bytes // charged for their VMs, in bytes; the node must have it
	Tasks      int   // number of tasks
}

// Plus returns the load with a task of such a job under the grant, or with sign -1 without one.
func (l Load) Plus(g Grant, s *Spec, charge Bytes, sign int) Load {
	n := CPU(sign)
	l.add(Load{n * s.Need, n * g.Guaranteed, n * g.BestEffort(), Bytes(sign) * charge, sign})
	return l
}

// add adds another load in place, which is much faster than making a sum where a simulation counts.
func (l *Load) add(more Load) {
	l.Need += more.Need
	l.Guaranteed += more.Guaranteed
	l.BestEffort += more.BestEffort
	l.Memory += more.Memory
	l.Tasks += more.Tasks
}

// Fits reports whether a node with that offer may be given the load: it has what is guaranteed and the memory. A node
// that shrank under an earlier load may keep the excess, but is not given more.
func (l Load) Fits(o Offer, before Load) bool {
	return l.Guaranteed <= max(o.CPU, before.Guaranteed) && l.Memory <= max(o.Memory, before.Memory)
}

// Shared returns the load of the node with no more best effort than what is guaranteed leaves of the node: caps in the
// background add up to more, but are not exclusive.
func (n *Node) Shared() Load {
	l := n.Load
	l.BestEffort = min(l.BestEffort, max(0, n.Capacity().CPU-l.Guaranteed))
	return l
}

// Granted returns the sum of the caps, in millicores.
func (l Load) Granted() CPU { return l.Guaranteed + l.BestEffort }
