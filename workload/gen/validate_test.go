package gen

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// These tests compare draws with the published distributions. The seeds are fixed, so the results
// never change; the level is the risk of a fresh seed. With 10,000 draws and a level of 0.001 the
// critical distance of Kolmogorov–Smirnov is 1.95/√n = 0.0195. Only smaller differences go unnoticed;
// TestWrongParametersAreNoticed measures that.
//

const (
	draws    = 10_000
	critical = 1.95 // of √n·D at the level 0.001
)

// distance returns Kolmogorov–Smirnov's √n·D between a sample and the uniform distribution on [0, 1].
func distance(sample []float64) float64 {
	slices.Sort(sample)
	d, n := 0.0, float64(len(sample))
	for i, x := range sample {
		d = max(d, float64(i+1)/n-x, x-float64(i)/n)
	}
	return d * math.Sqrt(n)
}

// runtimeCDF is the published distribution of the logarithm of a run time, given the size.
func (k *Kind) runtimeCDF(tasks int) func(float64) float64 {
	p, short, long := k.shortProb(tasks), k.Short.over(nil), k.Long.over(nil)
	mixed := func(x float64) float64 { return p*short.CDF(x) + (1-p)*long.CDF(x) }
	all := mixed(longestRun)
	return func(x float64) float64 { return mixed(x) / all }
}

// runtimeFit draws run times of one kind and compares them with another's distribution.
func runtimeFit(drawn, published Kind, seed uint64) float64 {
	p := newPopulation(drawn, 128, NewDice(seed, 0).rand(forShape))
	cdf := map[int]func(float64) float64{}
	sample := make([]float64, draws)
	for i := range sample {
		tasks := p.size()
		if cdf[tasks] == nil {
			cdf[tasks] = published.runtimeCDF(tasks)
		}
		sample[i] = cdf[tasks](p.runtime(tasks))
	}
	return distance(sample)
}

func gapFit(drawn, published Kind, seed uint64) float64 {
	p := newPopulation(drawn, 128, NewDice(seed, 0).rand(forShape))
	fitted := published.Gap
	fitted.Shape *= published.Ratio
	cdf := fitted.over(nil).CDF
	all := cdf(longestGap)
	sample := make([]float64, draws)
	for i := range sample {
		sample[i] = cdf(p.gap()) / all
	}
	return distance(sample)
}

// sizes is the published distribution of sizes on 128 nodes.
func (k *Kind) sizes() map[int]float64 {
	p := newPopulation(*k, 128, NewDice(0, 0).rand(forShape))
	stages := func(x float64) float64 { // the two-stage uniform distribution
		low := distuv.Uniform{Min: p.Low, Max: p.bend}.CDF(x)
		return p.LowProb*low + (1-p.LowProb)*distuv.Uniform{Min: p.bend, Max: p.top}.CDF(x)
	}
	out := map[int]float64{1: k.Serial}
	for log := range 8 {
		out[1<<log] += k.PowerOf2 * (stages(float64(log)+0.5) - stages(float64(log)-0.5))
	}
	for n := 1; n <= 128; n++ {
		out[n] += (1 - k.Serial - k.PowerOf2) * (stages(math.Log2(float64(n)+0.5)) - stages(math.Log2(float64(n)-0.5)))
	}
	return out
}

// sizeFit returns the probability that the published distribution yields sizes at least as far off as
// these.
func sizeFit(drawn, published Kind, seed uint64) float64 {
	p := newPopulation(drawn, 128, NewDice(seed, 0).rand(forShape))
	seen := map[int]float64{}
	for range draws {
		seen[p.size()]++
	}
	var observed, expected []float64
	var rareSeen, rare float64
	probabilities := published.sizes()
	for n := 1; n <= 128; n++ {
		if e := probabilities[n] * draws; e >= 10 {
			observed, expected = append(observed, seen[n]), append(expected, e)
		} else {
			rareSeen, rare = rareSeen+seen[n], rare+e
		}
	}
	if rare >= 10 {
		observed, expected = append(observed, rareSeen), append(expected, rare)
	}
	return distuv.ChiSquared{K: float64(len(observed) - 1)}.Survival(stat.ChiSquare(observed, expected))
}

func TestDrawsFollowThePublishedDistributions(t *testing.T) {
	for _, k := range []Kind{Batch, Interactive, All} {
		t.Run(k.Name, func(t *testing.T) {
			if d := runtimeFit(k, k, 1); d > critical {
				t.Errorf("run times: √n·D = %.2f", d)
			}
			if d := gapFit(k, k, 2); d > critical {
				t.Errorf("gaps: √n·D = %.2f", d)
			}
			if p := sizeFit(k, k, 3); p < 0.001 {
				t.Errorf("sizes: p = %g", p)
			}
		})
	}
}

// A parameter that is off by a tenth (the least size: by a quarter) is noticed with each of 5 seeds.
// This is the power of the tests above.
func TestWrongParametersAreNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Kind)
		fit    func(drawn, published Kind, seed uint64) bool
	}{
		"scale of short runs":   {func(k *Kind) { k.Short.Scale *= 1.1 }, runsWrong},
		"shape of short runs":   {func(k *Kind) { k.Short.Shape *= 1.1 }, runsWrong},
		"shape of long runs":    {func(k *Kind) { k.Long.Shape *= 1.1 }, runsWrong},
		"intercept":             {func(k *Kind) { k.Intercept *= 1.1 }, runsWrong},
		"scale of gaps":         {func(k *Kind) { k.Gap.Scale *= 1.1 }, gapsWrong},
		"ratio to rush hour":    {func(k *Kind) { k.Ratio *= 1.1 }, gapsWrong},
		"serial jobs":           {func(k *Kind) { k.Serial *= 1.1 }, sizesWrong},
		"powers of two":         {func(k *Kind) { k.PowerOf2 *= 1.1 }, sizesWrong},
		"bend of the sizes":     {func(k *Kind) { k.Bend *= 1.1 }, sizesWrong},
		"stage below the bend":  {func(k *Kind) { k.LowProb *= 0.9 }, sizesWrong},
		"least size":            {func(k *Kind) { k.Low *= 1.25 }, sizesWrong},
		"the wrong kind's runs": {func(k *Kind) { *k = Batch }, runsWrong},
	} {
		wrong := All
		c.change(&wrong)
		noticed := 0
		for seed := range uint64(5) {
			if c.fit(wrong, All, seed) {
				noticed++
			}
		}
		if noticed < 5 {
			t.Errorf("%s: noticed %d times of 5", name, noticed)
		}
	}
}

func runsWrong(drawn, published Kind, seed uint64) bool {
	return runtimeFit(drawn, published, seed) > critical
}

func gapsWrong(drawn, published Kind, seed uint64) bool {
	return gapFit(drawn, published, seed) > critical
}

func sizesWrong(drawn, published Kind, seed uint64) bool {
	return sizeFit(drawn, published, seed) < 0.001
}

// Arrivals within one day depend on each other, so days are the sample: over 400 chunks of a week, the
// share of each half hour must be as close to the fitted one as chance explains.
func TestJobsComeInTheDailyCycle(t *testing.T) {
	for _, k := range []Kind{Batch, Interactive, All} {
		p := newPopulation(k, 128, NewDice(4, 0).rand(forShape))
		pace := newDay(k.Day)
		const chunks, length = 400, 7 * perDay
		counts := make([][perDay]float64, chunks)
		for at := p.next(); at < chunks*length*halfHour; at = p.next() {
			half := int(at / halfHour)
			counts[half/length][half%perDay]++
		}
		sum := 0.0
		for _, c := range counts {
			for _, n := range c {
				sum += n
			}
		}
		for half := range perDay {
			excess := make([]float64, chunks)
			for i, c := range counts {
				excess[i] = c[half] - sum/chunks/perDay*pace[half]
			}
			mean, std := stat.MeanStdDev(excess, nil)
			if t3 := mean / std * math.Sqrt(chunks); math.Abs(t3) > 4 {
				t.Errorf("%s: half hour %d: %.1f standard errors off a pace of %.2f", k.Name, half, t3, pace[half])
			}
		}
	}
}

func TestRushHourIsInTheAfternoon(t *testing.T) {
	for _, k := range []Kind{Batch, Interactive, All} {
		pace, busiest, sum := newDay(k.Day), 0, 0.0
		for half, w := range pace {
			sum += w
			if w > pace[busiest] {
				busiest = half
			}
		}
		if busiest < 2*12 || busiest > 2*16 || math.Abs(sum-perDay) > 1e-9 {
			t.Errorf("%s: busiest at half hour %d, sum %v", k.Name, busiest, sum)
		}
	}
}
