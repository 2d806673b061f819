package wording

import (
	"fmt"

	"aliquot/cluster"
)

// Weighed returns a sentence about the worth of the best plan for running jobs.
func Weighed(w *cluster.Weighed) string {
	if w.Jobs == 0 {
		return "no beneficial move: no other mapping gives running jobs more"
	}
	gain, cost, hours := w.Gain.Seconds(), w.Cost.Seconds(), w.Horizon.Seconds()/3600
	worth := fmt.Sprintf("gains %.1f s of progress within %.4g h and costs %.1f s", gain, hours, cost)
	jobs := Count(w.Jobs, "job")
	if w.Beneficial() {
		return fmt.Sprintf("moving %s %s", jobs, worth)
	}
	must := fmt.Sprintf("more than %d times its cost", w.Margin)
	if w.Gain < cluster.LeastGain {
		must = fmt.Sprintf("at least %.4g s", cluster.LeastGain.Seconds())
	}
	return fmt.Sprintf("no beneficial move: moving %s %s; it must gain %s", jobs, worth, must)
}
