package cluster

// Load sums what tasks are to have of a node. Plus and Fits are the one law of resources: Apply, the simulator's Model,
// the index of vacancies, Check, and the laws of policies count by them.
type Load struct {
	Need       CPU   // of the tasks at full speed, in millicores; it may exceed what the node has
	Guaranteed CPU   // part of their caps that is guaranteed, in millicores; the node must have it
	BestEffort CPU   // part of their caps that is not guaranteed, in millicores; it may exceed what the node has
	Memory     Bytes // charged for their VMs, in bytes; the node must have it
	Tasks      int
}

// Plus returns the load with a task of such a job under the grant, or with sign -1 without one.
func (l Load) Plus(g Grant, s *Spec, charge Bytes, sign int) Load {
	l.Need += CPU(sign) * s.Need
	l.Guaranteed += CPU(sign) * g.Guaranteed
	l.BestEffort += CPU(sign) * g.BestEffort()
	l.Memory += Bytes(sign) * charge
	l.Tasks += sign
	return l
}

// Fits reports whether a node with that offer may be given the load: it has what is guaranteed and the memory. A node
// that shrank under an earlier load may keep the excess, but is not given more.
func (l Load) Fits(o Offer, before Load) bool {
	return l.Guaranteed <= max(o.CPU, before.Guaranteed) && l.Memory <= max(o.Memory, before.Memory)
}

// Granted is the sum of the caps, in millicores.
func (l Load) Granted() CPU { return l.Guaranteed + l.BestEffort }
