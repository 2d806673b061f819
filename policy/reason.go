package policy

import "aliquot/cluster"

// NoNode returns the reason of a job whose tasks no node may take, with counts of what keeps the nodes from it.
func NoNode(v *cluster.View, tasks int) cluster.Reason {
	var nodes, cordoned, draining, away, excluded, storeless int64
	for n := range v.Nodes() {
		nodes++
		switch {
		case !n.Reachable() || n.Awaited != 0:
			away++
		case n.Draining:
			draining++
		case n.Cordoned:
			cordoned++
		case v.Condition(n) != cluster.NodeOpen:
			storeless++
		default:
			excluded++
		}
	}
	values := []int64{int64(tasks), nodes, cordoned, draining, away, excluded, storeless}
	return cluster.Reason{Code: cluster.WhyNoNode, Values: values}
}
