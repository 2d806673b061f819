package policy

import "aliquot/cluster"

// Staying returns the number of tasks of the job that may be on a node that takes no new VMs: those that held, its
// placement by the adopted decision, has there, or those that are present there, if they are more. A job that lost a
// task holds nothing, but its other tasks are still present.
func Staying(j *cluster.Job, held *cluster.Placement, id cluster.NodeID) int {
	targeted, present := 0, 0
	if held != nil {
		for _, n := range held.Nodes {
			if n == id {
				targeted++
			}
		}
	}
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Present() && t.Node == id {
			present++
		}
	}
	return max(targeted, present)
}
