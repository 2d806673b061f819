package workload

import (
	"fmt"
	"math"
	"slices"

	"aliquot/cluster"
)

// Load returns the offered load of a stream on a number of nodes: the work of its jobs, one node per
// task, over the capacity of the nodes from the first to the last submission (RR-7659, section 5.3.2).
// It is infinite if all jobs are submitted at once, and 0 without jobs.
func Load(jobs []Job, nodes int) float64 {
	if len(jobs) == 0 {
		return 0
	}
	work := 0.0
	for _, j := range jobs {
		work += float64(j.Tasks) * j.Runtime.Seconds()
	}
	first, last := span(jobs)
	return work / (float64(nodes) * (last - first).Seconds())
}

// Scale returns the stream with all inter-arrival times multiplied by one factor, so that its load on
// the nodes is the given one. The first job keeps its submission. Scale refuses a stream whose load is
// zero or infinite.
func Scale(jobs []Job, nodes int, load float64) ([]Job, error) {
	now := Load(jobs, nodes)
	if now == 0 || math.IsInf(now, 0) {
		return nil, fmt.Errorf("jobs that are submitted all at once, or no jobs, have no load to scale")
	}
	factor := now / load
	first, last := span(jobs)
	if end := float64(first) + float64(last-first)*factor; !(end <= maxSeconds*1e6) {
		return nil, fmt.Errorf("a load of %g would spread the jobs over more than %d s", load, int64(maxSeconds))
	}
	scaled := slices.Clone(jobs)
	for i := range scaled {
		scaled[i] = scaled[i].Shift(first + cluster.Time(math.Round(float64(scaled[i].Submit-first)*factor)))
	}
	slices.SortStableFunc(scaled, Job.Compare)
	return scaled, nil
}

// span returns the first and the last submission of some jobs.
func span(jobs []Job) (first, last cluster.Time) {
	first, last = jobs[0].Submit, jobs[0].Submit
	for _, j := range jobs {
		first, last = min(first, j.Submit), max(last, j.Submit)
	}
	return first, last
}

// Segment is the part of a stream that starts at Number times the length of a segment.
type Segment struct {
	Number int
	Jobs   []Job // submissions are relative to the start of the segment
}

// Split cuts a stream into segments of the given length, by submission: a job belongs to segment
// floor(submit/length), counted from the stream's zero, not from its first job. Segments without jobs
// are left out.
func Split(jobs []Job, length cluster.Time) []Segment {
	var segments []Segment
	for _, j := range slices.SortedStableFunc(slices.Values(jobs), Job.Compare) {
		number := int(j.Submit / length)
		if len(segments) == 0 || segments[len(segments)-1].Number != number {
			segments = append(segments, Segment{Number: number})
		}
		s := &segments[len(segments)-1]
		s.Jobs = append(s.Jobs, j.Shift(j.Submit%length))
	}
	return segments
}
