package gen

import (
	"math"
	"math/rand/v2"
)

// Feitelson is a surrogate of the model of Feitelson, "Packing Schemes for Gang Scheduling" (JSSPP 1996): many small
// jobs and powers of two, run times that vary more than exponential ones and grow with the size, jobs that run several
// times, Poisson arrivals.
//
// On 320 nodes a job has 23.4 tasks and runs for 2606.6 s on average, and 16.5% have one task. In the published model a
// repeated run is submitted when the previous one has ended; here it is the next submission.
var Feitelson = Surrogate{
	Name:  "feitelson",
	sizes: feitelsonSizes,
	short: func(tasks, nodes int) float64 { return 0.95 - 0.2*float64(tasks)/float64(nodes) },
	// The ratio is 1 to 7; the scale is solved for the mean run time.
	runtimes: [2]float64{1901.68, 7 * 1901.68},
	gap:      func(r *rand.Rand) float64 { return 350 * r.ExpFloat64() }, // a load of about 0.7 on 320 nodes
	repeats:  2.5,
}

// feitelsonSizes gives one task to 16.5% of the jobs, a power of two to three quarters of the others, with weights that
// are solved for the mean size, and to the rest sizes of the harmonic distribution of order 1.5.
func feitelsonSizes(nodes int) []float64 {
	const serial, powersOf2, order, harmonicOrder = 0.165, 0.75, 0.3783, 1.5
	sizes := make([]float64, nodes+1)
	sizes[1] = serial
	powers, others := map[int]float64{}, map[int]float64{}
	for n := 2; n <= nodes; n++ {
		others[n] = math.Pow(float64(n), -harmonicOrder)
		if n&(n-1) == 0 {
			powers[n] = math.Pow(float64(n), -order)
		}
	}
	mixture(sizes, (1-serial)*powersOf2, powers)
	mixture(sizes, (1-serial)*(1-powersOf2), others)
	return sizes
}
