package wording

import (
	"fmt"
	"strings"

	"aliquot/cluster"
)

// Weighed returns a sentence about the worth of the best plan for running jobs.
func Weighed(w *cluster.Weighed) string {
	if w.Jobs == 0 {
		return "no beneficial move: " + held(w)
	}
	gain, cost, hours := w.Gain.Seconds(), w.Cost.Seconds(), w.Horizon.Seconds()/3600
	worth := fmt.Sprintf("gains %.1f s of progress within %.4g h and costs %.1f s", gain, hours, cost)
	if gain < 0 {
		worth = fmt.Sprintf("loses %.1f s of progress within %.4g h and costs %.1f s", -gain, hours, cost)
	}
	jobs := Count(w.Jobs, "job")
	if w.Beneficial() {
		return fmt.Sprintf("moving %s %s", jobs, worth)
	}
	must := fmt.Sprintf("more than %d times its cost", w.Margin)
	if w.Gain < cluster.LeastGain {
		must = fmt.Sprintf("at least %.4g s", cluster.LeastGain.Seconds())
	}
	text := fmt.Sprintf("no beneficial move: moving %s %s; it must gain %s", jobs, worth, must)
	if w.Resting+w.Fixed > 0 {
		text += "; " + held(w)
	}
	return text
}

// held returns what keeps jobs below their need where they are.
func held(w *cluster.Weighed) string {
	var held []string
	if w.Resting > 0 {
		wait := (w.Rest + cluster.Second - 1) / cluster.Second * cluster.Second
		held = append(held, resting(w.Resting)+wait.Words())
	}
	if w.Fixed > 0 {
		held = append(held, below(w.Fixed)+" cannot be moved at present")
	}
	if held == nil {
		return "no other mapping that memory, nodes and platforms allow gives running jobs more"
	}
	return strings.Join(held, ", and ")
}

// below counts jobs that have less than their need.
func below(jobs int) string {
	if jobs == 1 {
		return "1 job below its need"
	}
	return Count(jobs, "job") + " below their need"
}

func resting(jobs int) string {
	if jobs == 1 {
		return below(jobs) + " must rest before it may move, for another "
	}
	return below(jobs) + " must rest before they may move, the first for another "
}
