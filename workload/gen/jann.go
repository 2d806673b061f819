package gen

import "math/rand/v2"

// Jann is a surrogate of the model of Jann et al., "Modeling of Workload in MPPs" (JSSPP 1997), of the SP2 of the
// Cornell Theory Center: classes of sizes between powers of two, long run times, bursts of submissions.
//
// On 320 nodes a job has 10.5 tasks and runs for 11267 s on average, and 40.8% have one task. The published model fits
// hyper-Erlang distributions to every class of sizes; here all classes share one distribution of run times and one of
// gaps. The mean gap is that of the log: 17,440 jobs in 79 days.
var Jann = Surrogate{
	Name:  "jann",
	sizes: jannSizes,
	short: func(int, int) float64 { return 0.5 },
	// The second mean is solved for the mean run time.
	runtimes: [2]float64{900, 30261.79},
	gap: func(r *rand.Rand) float64 {
		// Two exponential distributions with balanced means and a coefficient of variation of 1.6.
		const mean, short = 391, 0.830985
		if r.Float64() < short {
			return mean / (2 * short) * r.ExpFloat64()
		}
		return mean / (2 * (1 - short)) * r.ExpFloat64()
	},
}

// jannSizes gives one task to 40.8% of the jobs. The others are in the classes 2, 3–4, 5–8, …, with geometric weights
// that are solved for the mean size; six tenths of a class have its greatest size, the rest any.
func jannSizes(nodes int) []float64 {
	const serial, ratio, top = 0.408, 0.6305, 0.6
	sizes := make([]float64, nodes+1)
	sizes[1] = serial
	weights, class := map[int]float64{}, 1.
	for low, high := 2, 2; low <= nodes; low, high = high+1, 2*high {
		high = min(high, nodes)
		weights[high] += class * top
		for n := low; n <= high; n++ {
			weights[n] += class * (1 - top) / float64(high-low+1)
		}
		class *= ratio
	}
	mixture(sizes, 1-serial, weights)
	return sizes
}
