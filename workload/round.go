package workload

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// Round returns the stream with needs and memory rounded to multiples of a fraction of a node, at
// least one multiple. RR-7659 uses whole percents.
func Round(jobs []Job, fraction float64) []Job {
	rounded := slices.Clone(jobs)
	to := func(amount, unit float64) float64 {
		most := 1. // an amount that fitted a node must still fit
		if amount > unit {
			most = MostNodes
		}
		return min(most, max(1, math.Round(amount/unit/fraction))*fraction)
	}
	for i := range rounded {
		j := &rounded[i]
		j.Need = RoundCPU(to(float64(j.Need), float64(UnitCPU)))
		j.Memory = RoundMemory(to(float64(j.Memory), float64(UnitMemory)))
	}
	return rounded
}

// cpuStep and memoryStep are the grid of fractions: 0.00001 of a node.
const (
	cpuStep    = UnitCPU / 100_000
	memoryStep = UnitMemory / 100_000
)

// RoundCPU returns the amount of CPU on the grid of the native format nearest to a fraction of a node,
// at least one step.
func RoundCPU(fraction float64) cluster.CPU {
	return max(1, cluster.CPU(fraction*100_000+0.5)) * cpuStep
}

// RoundMemory returns the amount of memory on the grid of the native format nearest to a fraction of a
// node, at least one step.
func RoundMemory(fraction float64) cluster.Bytes {
	return max(1, cluster.Bytes(fraction*100_000+0.5)) * memoryStep
}
