package labtest

import (
	"math/rand/v2"
	"slices"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// processors are equal nodes. Policies of two tiers treat each as one processor. Together they may take 1.8 cores, but
// guests that count with pauses use little of that.
var processors = []place{{"n1", 600, 400 * cluster.MiB}, {"n2", 600, 400 * cluster.MiB}, {"n3", 600, 400 * cluster.MiB}}

// acts says how many jobs arrive in a play once so many have ended. In all, departures jobs end.
var acts = map[int]int{0: 12, 2: 4, 4: 4}

const (
	departures = 7
	castSeed   = 235 // of plays with several kills or migrations, and swaps
	hour       = 60 * cluster.Minute
)

// cast returns the jobs of the play in the order of their arrival. Their estimates differ by hours, so that no boot
// decides which of them may overtake which.
func cast() (jobs []workload.Job) {
	r, count := rand.New(rand.NewPCG(castSeed, 0)), 0
	for _, arrive := range acts {
		count += arrive
	}
	for i, hours := range r.Perm(count) {
		jobs = append(jobs, workload.Job{
			ID: int64(i + 1), Tasks: []int{1, 1, 1, 1, 2, 2}[r.IntN(6)], Need: []cluster.CPU{300, 400, 500}[r.IntN(3)],
			Memory: 96 * cluster.MiB, Runtime: 1000 * hour, Estimate: cluster.Time(1+hours) * hour,
		})
	}
	return jobs
}

// A step begins with the arrival of jobs or the end of one, and lists what comes of it, in the words of the simulator.
type step struct {
	Occasion string
	At       cluster.Time // since the first arrival
	Deeds    []string     // sorted: what happens together is over in any order
}

// predict simulates jobs that arrive and end when they did, and returns the steps with what the simulator says.
func predict(policy string, jobs []workload.Job, ends []workload.Event, steps []step) ([]step, error) {
	p, err := catalog.Parse(policy, 24*hour)
	if err != nil {
		return nil, err
	}
	setup := sim.Setup{Policy: p, Events: ends, Estimates: sim.Traced}
	for _, at := range processors {
		setup.Nodes = append(setup.Nodes, sim.Node{Name: at.name, CPU: at.cpu, Memory: at.memory})
	}
	var said []step
	for _, s := range steps {
		said = append(said, step{Occasion: s.Occasion, At: s.At})
	}
	setup.Tell = func(e sim.Event) {
		last := len(said) - 1
		for last > 0 && said[last].At > e.At {
			last--
		}
		if moving(e.Kind) && e.At < 500*hour { // later the rest of the jobs would end
			said[last].Deeds = append(said[last].Deeds, e.String())
		}
	}
	_, err = sim.Run(setup, jobs)
	for i := range said {
		slices.Sort(said[i].Deeds)
	}
	return said, err
}

// moving reports whether events of the kind change where a job is, or in which tier.
func moving(k sim.EventKind) bool {
	return slices.Contains([]sim.EventKind{sim.Starts, sim.Resumes, sim.Moves, sim.Swaps, sim.Pauses, sim.Restarts}, k)
}
