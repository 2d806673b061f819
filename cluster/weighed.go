package cluster

// Weighed is what the best plan would gain that a policy found for jobs that run, and what it would cost. Times are
// progress of all jobs together.
type Weighed struct {
	Jobs    int  // that the plan would move; 0: no other mapping gives more
	Gain    Time // within the Horizon
	Cost    Time // while the jobs that move stand still
	Horizon Time // how far ahead a gain counts at most
	Margin  int  // how many times the cost a plan must gain
}

// LeastGain is what any plan must gain, so that trifles move nothing where moves cost nothing.
const LeastGain = Second

// Beneficial reports whether the plan is worth its moves: only then is it part of the decision.
func (w *Weighed) Beneficial() bool {
	return w.Jobs > 0 && w.Gain >= LeastGain && w.Gain > Time(w.Margin)*w.Cost
}
