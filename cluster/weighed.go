package cluster

import "fmt"

// Weighed is what the best plan would gain that a policy found for jobs that run, and what it would cost. Times are
// progress of all jobs together.
type Weighed struct {
	Jobs    int  // that the plan would move; 0: no other mapping gives more
	Gain    Time // within the Horizon
	Cost    Time // while the jobs that move stand still
	Horizon Time // how far ahead a gain counts at most
	Margin  int  // how many times the cost a plan must gain
}

// leastGain is what any plan must gain, so that trifles move nothing where moves cost nothing.
const leastGain = Second

// Beneficial tells whether the plan is worth its moves: only then is it part of the decision.
func (w *Weighed) Beneficial() bool {
	return w.Jobs > 0 && w.Gain >= leastGain && w.Gain > Time(w.Margin)*w.Cost
}

// String says so in a sentence.
func (w *Weighed) String() string {
	if w.Jobs == 0 {
		return "no beneficial move: no other mapping gives running jobs more"
	}
	jobs := "1 job"
	if w.Jobs > 1 {
		jobs = fmt.Sprintf("%d jobs", w.Jobs)
	}
	worth := fmt.Sprintf("gains %.1f s of progress within %.4g h and costs %.1f s", w.Gain.Seconds(), w.Horizon.Seconds()/3600, w.Cost.Seconds())
	if w.Beneficial() {
		return fmt.Sprintf("moving %s %s", jobs, worth)
	}
	must := fmt.Sprintf("more than %d times its cost", w.Margin)
	if w.Gain < leastGain {
		must = fmt.Sprintf("at least %.4g s", leastGain.Seconds())
	}
	return fmt.Sprintf("no beneficial move: moving %s %s; it must gain %s", jobs, worth, must)
}
