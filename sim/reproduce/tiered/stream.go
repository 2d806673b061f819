package tiered

import (
	"cmp"
	"fmt"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/gen"
)

// Workload is one of the paper's two kinds of streams, by its name there.
type Workload string

// The workloads.
const (
	FW Workload = "FW"
	JW Workload = "JW"
)

// Workloads lists the workloads in the paper's order.
var Workloads = []Workload{FW, JW}

func (w Workload) model() gen.Surrogate {
	if w == FW {
		return gen.Feitelson
	}
	return gen.Jann
}

const (
	// Processors is the size of the paper's machine.
	Processors = 320
	// Period is the time after which policies that tick decide again.
	Period = 10 * cluster.Minute
	// Seed is the seed of all streams. The paper's seeds are not published.
	Seed = 2012
	// longest is the greatest estimate. The paper names none.
	longest = 18 * cluster.Hour
)

// Stream is one stream of jobs.
type Stream struct {
	Workload Workload
	Number   int  // from 0; streams of different numbers are independent
	Jobs     int  // number of its jobs
	Tenth    int  // tenths of offered load
	FullUse  bool // every task uses the whole processor
}

// Name returns the stream's name in results.
func (s Stream) Name() string {
	name := fmt.Sprintf("%s %d at load 0.%d", s.Workload, s.Number, s.Tenth)
	if s.FullUse {
		name += ", full use"
	}
	return name
}

// Compare orders streams.
func (s Stream) Compare(o Stream) int {
	full := func(s Stream) int {
		if s.FullUse {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(s.Workload, o.Workload), cmp.Compare(full(s), full(o)), cmp.Compare(s.Number, o.Number),
		cmp.Compare(s.Jobs, o.Jobs), cmp.Compare(s.Tenth, o.Tenth))
}

// Draw draws the stream: its jobs, the properties of the tiers, and the users' estimates.
func (s Stream) Draw() ([]workload.Job, error) {
	dice := gen.NewDice(Seed, s.Number)
	jobs, _, err := gen.Estimates(dice, gen.TwoTiers(dice, s.Workload.model().Draw(dice, Processors, s.Jobs)), longest)
	if err != nil {
		return nil, err
	}
	if s.FullUse {
		for i := range jobs {
			jobs[i].Need = workload.UnitCPU
		}
	}
	return workload.Scale(jobs, Processors, float64(s.Tenth)/10)
}
