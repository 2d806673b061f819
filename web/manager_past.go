package web

import (
	"math"

	"aliquot/cluster"
)

var nan = math.NaN()

// ClusterColumn is a column of the cluster's series.
type ClusterColumn int

// The columns of the cluster's series: yields are fractions, CPU is in millicores, memory in bytes.
const (
	YieldLeast ClusterColumn = iota
	YieldMean
	CapacityCPU
	NeedCPU
	WaitingCPU
	ShareCPU
	UsedCPU
	CapacityMemory
	ReservedMemory
	JobsHolding
	JobsWaiting
	JobsHeld
	YieldTenths    // the first of ten
	ClusterColumns = YieldTenths + 10
)

// NodeColumn is a column of a node's series.
type NodeColumn int

// The columns of a node's series.
const (
	NodeCapacity NodeColumn = iota
	NodeNeed
	NodeShare
	NodeUsed
	NodeMemory
	NodeColumns
)

// UsageColumns is the number of columns of a run's series: CPU and memory.
const UsageColumns = 2

// ClusterRow returns the present row of the cluster's series. The usage is NaN.
func ClusterRow(v *cluster.Snapshot) [ClusterColumns]float64 {
	row := [ClusterColumns]float64{YieldLeast: nan, YieldMean: nan, UsedCPU: nan}
	if y := yieldSummary(v); y != nil {
		row[YieldLeast], row[YieldMean], row[JobsHolding] = y.Least, y.Mean, float64(y.Jobs-y.Without)
		for tenth, n := range y.Counts {
			row[int(YieldTenths)+tenth] = float64(n)
		}
	}
	cpu, memory := demand(v)
	row[CapacityCPU], row[NeedCPU], row[WaitingCPU] = float64(cpu.CapacityMillicores), float64(cpu.NeedMillicores),
		float64(cpu.WaitingMillicores)
	row[ShareCPU], row[CapacityMemory], row[ReservedMemory] = float64(cpu.ShareMillicores), float64(memory.CapacityBytes),
		float64(memory.ReservedBytes)
	for j := range v.Jobs() {
		switch {
		case j.Held:
			row[JobsHeld]++
		case v.Wants(j) && v.Target(j.ID) == nil:
			row[JobsWaiting]++
		}
	}
	return row
}

// NodeRow returns the present row of the node's series. The usage is NaN.
func NodeRow(n *cluster.Node) [NodeColumns]float64 {
	return [NodeColumns]float64{
		NodeCapacity: float64(n.Capacity().CPU), NodeNeed: float64(n.Load.Need), NodeShare: float64(n.Shared().Granted()),
		NodeUsed: nan, NodeMemory: float64(reserved(n)),
	}
}
