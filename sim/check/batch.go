package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// batch describes how the batch policy of that name hands out nodes.
type batch struct {
	is, promises, packs, exclusive bool
	windows                        bool // jobs get nodes for an interval until their deadline
	tiers                          bool // a processor has a place for a task in each tier
	perNode                        int  // cores of a node; 0: a core is 1,000 millicores
}

// batchOf parses the name of a policy.
func batchOf(name string) (b batch) {
	parts := strings.Split(name, "/")
	b.tiers = tiered(name)
	b.windows = parts[0] == "reserve" && !shares(name)
	b.is = b.tiers || b.windows || slices.Contains([]string{"FCFS", "EASY", "conservative"}, parts[0])
	b.promises = b.is && parts[0] != "FCFS" && !b.windows
	b.packs = b.is && slices.Contains(parts, "cores")
	b.exclusive = b.is && slices.Contains(parts, "exclusive")
	for _, p := range parts {
		if cores, found := strings.CutPrefix(p, "per-node="); found {
			b.perNode, _ = strconv.Atoi(cores)
		}
	}
	return b
}

// shares reports whether the policy of that name keeps deadlines on shares of nodes.
func shares(name string) bool { return strings.HasPrefix(name, "reserve/shares") }

// cores returns the number of cores that a task takes of a node, and the number that the node has.
func (b batch) cores(need cluster.CPU, n sim.Node) (takes, has int64) {
	core := int64(cluster.Core)
	if b.perNode == 0 {
		return (int64(need) + core - 1) / core, int64(n.CPU) / core
	}
	whole := int64(need) * int64(b.perNode)
	return (whole + int64(n.CPU) - 1) / int64(n.CPU), int64(b.perNode)
}

// possible returns the number of tasks of a job that all nodes together could take.
func (b batch) possible(j workload.Job, nodes []sim.Node) (tasks int) {
	for _, n := range nodes {
		memory := int(n.Memory / j.Memory)
		switch takes, has := b.cores(j.Need, n); {
		case b.packs:
			tasks += min(memory, int(has/takes))
		case b.tiers:
			tasks += min(memory, processorsFor(j, n))
		default:
			tasks += min(memory, 1)
		}
	}
	return tasks
}

// processorsFor returns how many tasks of the job the processors of a node can take in the foreground.
func processorsFor(j workload.Job, n sim.Node) int {
	processor := cluster.CPU(n.Speed.Known())
	uses, slots := n.Speed.Ceiling(j.Need), min(n.Cores, int(n.CPU/processor))
	switch {
	case slots < 2:
		return min(1, int(n.CPU/uses))
	case uses > processor:
		return 0
	}
	return min(slots, int(n.CPU/uses))
}

// load is what a batch policy has handed out of a node, or of a core that tasks are bound to.
type load struct {
	cores int64
	tasks map[int64]int // by job
	lower int           // tasks in the background
}

// add counts a task that begins (sign 1) or ends (sign -1) in the tier, and returns the violation that results, if any.
// Jobs of other classes than standard get nothing handed out in the foreground.
func (l *load) add(b batch, n sim.Node, j workload.Job, t cluster.Tier, sign int) error {
	if t == cluster.Background {
		if l.lower += sign; b.tiers && l.lower > 1 {
			return fmt.Errorf("node %s has a processor with %d tasks in the background", n.Name, l.lower)
		}
		return nil
	}
	if j.Class != cluster.StandardClass {
		return nil
	}
	takes, has := b.cores(j.Need, n)
	l.cores += int64(sign) * takes
	if l.tasks == nil {
		l.tasks = map[int64]int{}
	}
	if l.tasks[j.ID] += sign; l.tasks[j.ID] == 0 {
		delete(l.tasks, j.ID)
	}
	switch {
	case sign < 0 || !b.is:
	case b.packs && l.cores > has:
		return fmt.Errorf("node %s has %d cores, and tasks take %d", n.Name, has, l.cores)
	case (b.exclusive || !b.packs) && len(l.tasks) > 1:
		return fmt.Errorf("node %s is to be exclusive, and %d jobs share it", n.Name, len(l.tasks))
	case !b.packs && l.tasks[j.ID] > 1:
		return fmt.Errorf("node %s is for one task, and %d are there", n.Name, l.tasks[j.ID])
	}
	return nil
}
