package cluster

import (
	"iter"
	"math"
)

// LearntSpeed tells how fast nodes of one class did the work of one category, against the class that did it fastest.
type LearntSpeed struct {
	*RunTimes       // there; On is the class
	Factor    Speed // in thousandths of the fastest class; 0: it or all others have too few runs to compare
	Error     Parts // standard error of the factor as a part of it; 0: it has none
}

// LearntSpeeds yields what is known of speeds, by category and class of nodes.
func (s *State) LearntSpeeds() iter.Seq[LearntSpeed] {
	return func(yield func(LearntSpeed) bool) {
		var group []*RunTimes
		flush := func() bool {
			for _, l := range compared(group) {
				if !yield(l) {
					return false
				}
			}
			group = group[:0]
			return true
		}
		for r := range s.speeds.all() {
			if len(group) > 0 && group[0].Category != r.Category && !flush() {
				return
			}
			group = append(group, r)
		}
		flush()
	}
}

// compared compares the run times of one category on different classes. Medians are compared, so that a few runs that
// had bad luck, or lied, do not count, and a class that has changed shows by the tenth run after.
func compared(group []*RunTimes) []LearntSpeed {
	var fastest *RunTimes
	enough := 0
	for _, r := range group {
		if r.Few() {
			continue
		}
		if enough++; fastest == nil || r.Median() < fastest.Median() {
			fastest = r
		}
	}
	learnt := make([]LearntSpeed, len(group))
	for i, r := range group {
		learnt[i].RunTimes = r
		if enough > 1 && !r.Few() {
			learnt[i].Factor = max(1, Speed(fastest.Median()*Time(ReferenceSpeed)/r.Median()))
			if r != fastest {
				learnt[i].Error = Parts(float64(Whole) * math.Hypot(r.uncertainty(), fastest.uncertainty()))
			}
		}
	}
	return learnt
}

// uncertainty returns the standard error of the mean of the latest run times, as a part of it.
func (r *RunTimes) uncertainty() float64 {
	n, sum, squares := float64(len(r.Latest)), 0.0, 0.0
	for _, t := range r.Latest {
		sum += t.Seconds()
	}
	mean := sum / n
	for _, t := range r.Latest {
		squares += (t.Seconds() - mean) * (t.Seconds() - mean)
	}
	return math.Sqrt(squares/(n-1)/n) / mean
}

// classOf returns the class of all nodes that the tasks of the job were given to; "": they are of several, or unknown.
func (s *State) classOf(j *Job) string {
	class := ""
	for i := range j.Tasks {
		given := j.Tasks[i].Given
		if given == nil || len(given.Nodes) >= maxGiven { // earlier nodes may be forgotten
			return ""
		}
		for _, id := range given.Nodes {
			n := s.Node(id)
			if n == nil || n.Description.Class == "" || class != "" && n.Description.Class != class {
				return ""
			}
			class = n.Description.Class
		}
	}
	return class
}
