package check

import (
	"fmt"

	"aliquot/sim"
	"aliquot/workload"
)

// skipped verifies that jobs were left out only if that was wanted, and only those that could never run.
func (c *checker) skipped(jobs []sim.Skipped) {
	if len(jobs) > 0 && c.setup.Impossible != sim.Skip {
		c.fail("%d jobs were skipped though they are to be refused", len(jobs))
	}
	for _, j := range jobs {
		if c.room(j.Job) >= j.Tasks && !c.unwilling(j.Job) {
			c.fail("job %d was skipped, but its %d tasks fit into the nodes", j.ID, j.Tasks)
		}
	}
}

// room is how many tasks of a job the memory of all nodes holds at most; nodes whose CPU is less than a task needs
// count only if another has as much.
func (c *checker) room(j workload.Job) (tasks int) {
	powerful := false
	for _, n := range c.setup.Nodes {
		tasks += int(n.Memory / j.Memory)
		powerful = powerful || n.CPU >= j.Need
	}
	if !powerful {
		return 0
	}
	return tasks
}

// unwilling reports whether a batch policy may refuse a job that fits: it wants a node for each task, or whole cores,
// and where others overtake it must know how long the job takes.
func (c *checker) unwilling(j workload.Job) bool {
	rule := batchOf(fmt.Sprint(c.setup.Policy))
	known := c.setup.Estimates == sim.Perfect || j.Estimate > 0
	return rule.is && rule.possible(j, c.setup.Nodes) < j.Tasks || rule.promises && !known
}
