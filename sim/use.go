package sim

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/workload"
)

// Uses is how much CPU the tasks of a job use at full speed.
type Uses uint8

// The kinds of uses.
const (
	PerJob     Uses = iota // each task uses the need of the stream
	PerProcess             // each task of several has a use of its own, between leastUse and the whole node
)

// leastUse is the least use of a task of several, in parts of its node (Liu et al. 2012, section 3.1).
const leastUse = cluster.Whole * 40 / 100

// Of returns the use of a task, by its index. It is the same for the same task of any simulation.
func (u Uses) Of(j *workload.Job, index int) cluster.CPU {
	if u == PerJob || j.Tasks == 1 {
		return j.Need
	}
	drawn := cluster.Parts(scramble(uint64(j.ID)<<14|uint64(index)) % uint64(cluster.Whole-leastUse+1))
	return cluster.CPU((leastUse + drawn) * cluster.Parts(workload.UnitCPU) / cluster.Whole)
}

// scramble is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// parseUses parses the kind of uses: job, process or "", which is job.
func parseUses(word string) (Uses, error) {
	switch word {
	case "", "job":
		return PerJob, nil
	case "process":
		return PerProcess, nil
	}
	return 0, fmt.Errorf("there are no uses %q: use job or process", word)
}
