package site

import "aliquot/policy/hetero"

// Summary are the measures of a simulation. Times are in seconds; a job's time is from its submission to its end.
type Summary struct {
	Jobs        int              `json:"jobs"`
	Skipped     int              `json:"skipped"`
	Parallel    float64          `json:"parallel_share"` // part of the jobs that ran on clusters
	Preemptions int              `json:"preemptions"`
	Bumps       int              `json:"bumps"`
	Sum         float64          `json:"sum_job_seconds"`
	Mean        float64          `json:"avg_job_seconds"`
	Max         float64          `json:"max_job_seconds"`
	Makespan    float64          `json:"makespan_seconds"` // from the first submission to the last end
	Levels      map[string]Level `json:"levels"`           // by H, M and L; only those with jobs that ended
}

// Level are the measures of the jobs of one level.
type Level struct {
	Jobs     int     `json:"jobs"`
	Parallel float64 `json:"parallel_share"`
	Mean     float64 `json:"avg_job_seconds"`
}

// count adds up what becomes a Level.
type count struct {
	jobs, parallel int
	sum            hetero.Ticks
}

func (c *count) add(f Fate) {
	c.jobs++
	c.sum += f.End - f.Submit
	if f.Parallel {
		c.parallel++
	}
}

func (c *count) level() Level {
	n := float64(max(1, c.jobs))
	return Level{c.jobs, float64(c.parallel) / n, inSeconds(c.sum) / n}
}

func inSeconds(t hetero.Ticks) float64 { return float64(t) / 1000 }

// Summarize returns the measures.
func Summarize(fates []Fate) Summary {
	s := Summary{Jobs: len(fates), Levels: map[string]Level{}}
	var all count
	levels := map[hetero.Level]*count{}
	first, last, longest := hetero.Never, hetero.Ticks(0), hetero.Ticks(0)
	for _, f := range fates {
		if f.Skipped {
			s.Skipped++
			continue
		}
		if levels[f.Level] == nil {
			levels[f.Level] = &count{}
		}
		all.add(f)
		levels[f.Level].add(f)
		s.Preemptions += f.Preemptions
		s.Bumps += f.Bumps
		first, last, longest = min(first, f.Submit), max(last, f.End), max(longest, f.End-f.Submit)
	}
	for level, c := range levels {
		s.Levels[level.String()] = c.level()
	}
	whole := all.level()
	s.Parallel, s.Mean, s.Sum, s.Max = whole.Parallel, whole.Mean, inSeconds(all.sum), inSeconds(longest)
	s.Makespan = inSeconds(max(0, last-first))
	return s
}
