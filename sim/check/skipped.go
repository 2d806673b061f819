package check

import (
	"fmt"
	"slices"

	"aliquot/sim"
	"aliquot/workload"
)

// skipped verifies that jobs were left out only if that was wanted, and only those that could never run.
func (c *checker) skipped(jobs []sim.Skipped) {
	if len(jobs) > 0 && c.setup.Impossible != sim.Skip {
		c.fail("%d jobs were skipped though they are to be refused", len(jobs))
	}
	for _, j := range jobs {
		if together, apart := c.room(j.Job); together >= j.Tasks && !c.unwilling(j.Job, apart) {
			c.fail("job %d was skipped, but its %d tasks fit into the nodes", j.ID, j.Tasks)
		}
	}
}

// room is how many tasks of a job the memory of all nodes holds at most, and on how many nodes; nodes whose CPU is less
// than a task needs count only if another has as much.
func (c *checker) room(j workload.Job) (together, apart int) {
	powerful := false
	for _, n := range c.setup.Nodes {
		if fit := int(n.Memory / j.Memory); fit > 0 {
			together += fit
			apart++
		}
		powerful = powerful || n.CPU >= j.Need
	}
	if !powerful {
		return 0, 0
	}
	return together, apart
}

// unwilling tells whether a batch policy may refuse a job that fits: it wants a node for each task, and where others
// overtake it must know how long the job takes.
func (c *checker) unwilling(j workload.Job, nodes int) bool {
	backfilling := slices.Contains([]string{"EASY", "EASY/no-reserved", "conservative"}, fmt.Sprint(c.setup.Policy))
	batch := backfilling || fmt.Sprint(c.setup.Policy) == "FCFS"
	known := c.setup.Estimates == sim.Perfect || j.Estimate > 0
	return batch && nodes < j.Tasks || backfilling && !known
}
