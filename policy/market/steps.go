package market

// The steps of a method are an estimate of its work by the sizes of an instance. A machine does hundreds of millions in
// a second where slots are advertised, and thousands of millions where sites are queried.

// MOGASteps returns the steps of MOGA.
func (a *Advertised) MOGASteps() float64 { return population * (generations + 1) * a.planSteps() }

// SearchSteps returns the least steps of Sweep and Best. Both do more where that is little.
func (a *Advertised) SearchSteps() float64 { return leastPlans * a.planSteps() }

// planSteps returns the steps of one plan.
func (a *Advertised) planSteps() float64 {
	n := float64(len(a.Tasks))
	return n * (float64(len(a.Slots)) + 2*n)
}

// GreedySteps returns the steps of Greedy: each task asks all sites for the prices of all starts.
func (q *Queried) GreedySteps() float64 { return float64(len(q.Tasks)) * q.listSteps() }

// SearchSteps returns the least steps of Sweep and Best. Both do more where that is little.
func (q *Queried) SearchSteps() float64 {
	return leastPlans * mostQuotes * float64(len(q.Tasks)) * float64(q.size())
}

// listSteps returns the steps of one query of every site.
func (q *Queried) listSteps() (steps float64) {
	for _, s := range q.Sites {
		instants := 1 + 2*(len(s.Queue)+len(s.Running)+len(s.Reservations)+len(q.Tasks))
		steps += float64(instants) * float64(q.sizeOf(&s))
	}
	return steps
}
