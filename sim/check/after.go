package check

import (
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
)

// after verifies that jobs waited for those that they were to wait for, and no longer.
func (c *checker) after(result sim.Result) {
	ended, lost := map[int64]cluster.Time{}, map[int64]bool{}
	for _, o := range result.Jobs {
		ended[o.ID] = o.Ended
	}
	for _, s := range result.Skipped {
		lost[s.ID] = true
	}
	for id, others := range c.setup.After {
		unmet := slices.ContainsFunc(others, func(on int64) bool { _, done := ended[on]; return !done })
		if unmet && !lost[id] {
			c.fail("job %d waits for jobs that did not succeed, and was not skipped", id)
		}
	}
	for _, o := range result.Jobs {
		c.waited(o, ended)
	}
}

func (c *checker) waited(o sim.Outcome, ended map[int64]cluster.Time) {
	var last cluster.Time
	for _, on := range c.setup.After[o.ID] {
		at, done := ended[on]
		if !done {
			c.fail("job %d ran, and waits for job %d, which did not succeed", o.ID, on)
		}
		last = max(last, at)
	}
	if waits := len(c.setup.After[o.ID]) > 0; waits && o.Eligible != max(last, o.Submit) || !waits && o.Eligible != 0 {
		c.fail("job %d may run from %v on, and the last job that it waits for ended at %v", o.ID, o.Eligible, last)
	}
}
