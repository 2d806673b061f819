package check

import (
	"fmt"
	"slices"

	"aliquot/sim"
	"aliquot/workload"
)

// skipped verifies that jobs were skipped only if the setup permits it, and only if they could never run.
func (c *checker) skipped(jobs []sim.Skipped) {
	if c.setup.Impossible != sim.Skip && slices.ContainsFunc(jobs, func(s sim.Skipped) bool { return !s.Declined }) {
		c.fail("%d jobs were skipped though they are to be refused", len(jobs))
	}
	windows := batchOf(fmt.Sprint(c.setup.Policy)).windows || shares(fmt.Sprint(c.setup.Policy))
	for _, j := range jobs {
		if j.Declined && windows && j.Deadline != 0 {
			continue
		}
		if c.room(j.Job) >= j.Tasks && !c.unwilling(j.Job) && len(c.setup.After[j.ID]) == 0 {
			c.fail("job %d was skipped, but its %d tasks fit into the nodes", j.ID, j.Tasks)
		}
	}
}

// room returns the greatest number of tasks of a job that the memory of all nodes holds. A node with less CPU than a
// task needs counts only if another has as much.
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

// unwilling reports whether a batch policy may refuse a job that fits: the policy needs a node for each task, or
// whole cores, and an estimate where jobs may overtake. The policy of shares takes all nodes for alike.
func (c *checker) unwilling(j workload.Job) bool {
	rule := batchOf(fmt.Sprint(c.setup.Policy))
	if shares(fmt.Sprint(c.setup.Policy)) {
		return j.Tasks > len(c.setup.Nodes) || slices.ContainsFunc(c.setup.Nodes, func(n sim.Node) bool {
			return n.CPU < j.Need || n.Memory < j.Memory
		})
	}
	known := c.setup.Estimates == sim.Perfect || j.Estimate > 0
	return rule.is && rule.possible(j, c.setup.Nodes) < j.Tasks || rule.promises && !known
}
