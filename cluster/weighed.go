package cluster

// Weighed compares the gain and the cost of the best plan that a policy found for running jobs. Its times are progress,
// summed over all jobs, in microseconds.
type Weighed struct {
	Jobs    int  // number that the plan would move; 0: no other mapping gains anything
	Gain    Time // within the Horizon
	Cost    Time // progress lost while the moved jobs stand still
	Horizon Time // the longest time ahead for which a gain counts
	Margin  int  // factor by which the gain must exceed the cost

	Resting int  // number of jobs below their need that were not considered, because they have not rested
	Rest    Time // until the first of them has rested
	Fixed   int  // number of jobs below their need that cannot be moved now
}

// LeastGain is the least gain of any plan, so that trifles move nothing where moves cost nothing.
const LeastGain = Second

// Beneficial reports whether the plan is worth its moves: only then is it part of the decision.
func (w *Weighed) Beneficial() bool {
	return w.Jobs > 0 && w.Gain >= LeastGain && w.Gain > Time(w.Margin)*w.Cost
}
