package policy

import "aliquot/cluster"

// Staying returns, by node, the number of tasks of the job that may be there while the node takes no new VMs: those
// that held, its placement by the adopted decision, has there, or those that are present there or on their way, if they
// are more. A job that lost a task holds nothing, but its other tasks are still present. A Stuck job stays where it is.
func Staying(v *cluster.View, j *cluster.Job, held *cluster.Placement) map[cluster.NodeID]int {
	most, present := map[cluster.NodeID]int{}, map[cluster.NodeID]int{}
	if held != nil {
		for _, n := range held.Nodes {
			most[n]++
		}
	}
	stuck := v.Stuck(j)
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Present() {
			at := t.Node
			if !stuck {
				at = cluster.Bound(v, cluster.TaskID{Job: j.ID, Index: i})
			}
			present[at]++
			most[at] = max(most[at], present[at])
		}
	}
	return most
}
