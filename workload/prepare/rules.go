package prepare

import (
	"aliquot/cluster"
	"aliquot/workload/swf"
)

// Rules interpret the records of a log.
type Rules struct {
	Name string
	Node Node

	// Processors returns the number of processors that a job asked for; below 1: unknown.
	Processors func(*swf.Record) int64
	// Memory returns the memory of a job per processor, as a fraction of a node, and whether the log
	// contains it.
	Memory func(*swf.Record) (fraction float64, known bool)
	// Tasks groups processors into tasks.
	Tasks func(processors int64, memory float64) Tasks
}

// Node describes the nodes of a log's machine, all alike.
type Node struct {
	Processors int64         // at least 1
	Memory     cluster.Bytes // 0: unknown
}

// Tasks are the tasks of one job, all alike.
type Tasks struct {
	Count  int64
	Need   float64 // each, as a fraction of a node
	Memory float64 // each, as a fraction of a node
}

// HPC2N returns the rules of RR-7659, section 5.3.1, for the log of that name: dual-core nodes with 2
// GB.
func HPC2N() Rules {
	node := Node{Processors: 2, Memory: 2048 * cluster.MiB}
	return Rules{
		Name:       "hpc2n",
		Node:       node,
		Processors: Requested,
		Memory:     AtLeast(0.1, LargerOf(node.Memory)),
		Tasks:      Threads(node.Processors),
	}
}

// Generic returns rules for any log: one task per processor, and the memory of the log, at least 10%
// of a node.
func Generic(node Node) Rules {
	return Rules{
		Name:       "generic",
		Node:       node,
		Processors: Requested,
		Memory:     AtLeast(0.1, LargerOf(node.Memory)),
		Tasks:      Single(node.Processors),
	}
}

// Requested returns the number of processors that a job required or, if the log does not contain it,
// was given.
//
// "The swf file format contains information about the required number of processors, but not the
// number of tasks."
func Requested(r *swf.Record) int64 {
	if r.RequestedProcessors > 0 {
		return r.RequestedProcessors
	}
	return r.Processors
}

// LargerOf returns a rule for the larger of requested and used memory per processor, as a fraction of
// a node's memory. The fraction is 0 if the log contains neither, or if the node's memory is 0.
//
// "Job per-processor memory requirements were set as the maximum of either requested or used memory as
// a fraction of the system memory of 2GB."
func LargerOf(node cluster.Bytes) func(*swf.Record) (float64, bool) {
	return func(r *swf.Record) (float64, bool) {
		larger := max(r.RequestedMemory, r.Memory)
		if node == 0 || larger == swf.Unknown {
			return 0, false
		}
		return float64(larger) / float64(node>>10), true
	}
}

// AtLeast raises the result of a rule to a minimum.
//
// "…to a minimum of 10%. […] Jobs [that] did not give values for either used or requested memory […]
// were assigned the lower bound of 10%."
func AtLeast(fraction float64, memory func(*swf.Record) (float64, bool)) func(*swf.Record) (float64, bool) {
	return func(r *swf.Record) (float64, bool) {
		m, known := memory(r)
		return max(fraction, m), known
	}
}

// Threads returns a rule that makes one task of as many processors as a node has, if the number of
// processors is a multiple of that and if their memory together is less than a node's. Otherwise each
// processor is a task.
//
// "For jobs that required an even number of processors and had a per-processor memory requirement less
// than 50% of the available node memory, we assumed that the job used a number of multi-threaded tasks
// equal to half the number of processors[, with] a CPU need of 100% […] and the memory requirement was
// doubled from its initial per-processor value. For jobs requiring an odd number of processors or more
// than 50% of the available node memory per processor, we assumed that the number of tasks was equal
// to the number of processors and that each of these tasks had a CPU need of 50%." The report leaves
// exactly 50% open; here it stays one task per processor.
func Threads(cores int64) func(int64, float64) Tasks {
	single := Single(cores)
	return func(processors int64, memory float64) Tasks {
		merged := memory * float64(cores)
		if processors%cores != 0 || merged >= 1 {
			return single(processors, memory)
		}
		return Tasks{processors / cores, 1, merged}
	}
}

// Single returns a rule that makes one task of each processor, which needs its part of a node.
func Single(cores int64) func(int64, float64) Tasks {
	return func(processors int64, memory float64) Tasks {
		return Tasks{processors, 1 / float64(cores), memory}
	}
}
