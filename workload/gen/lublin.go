package gen

import (
	"math"
	"math/rand/v2"

	"aliquot/cluster"
	"aliquot/workload"
)

// longestRun keeps run times below two days.
const longestRun = 12 // log of seconds

// Lublin draws a stream of jobs for a machine with the given number of nodes from the model of Lublin
// and Feitelson: one node per task, the first midnight at zero. Batch and interactive jobs are mixed,
// as in the authors' program, unless other kinds are named. Needs and memory are left open: see
// Augment.
func Lublin(dice Dice, nodes, count int, kinds ...Kind) []workload.Job {
	if len(kinds) == 0 {
		kinds = []Kind{Batch, Interactive}
	}
	sources := make([]*population, len(kinds))
	for i, k := range kinds {
		sources[i] = newPopulation(k, nodes, dice.rand(forShape+uint64(i)))
	}
	jobs := make([]workload.Job, count)
	for i := range jobs {
		next := sources[0]
		for _, s := range sources[1:] {
			if s.at < next.at {
				next = s
			}
		}
		jobs[i] = next.job()
		jobs[i].ID = int64(i + 1)
	}
	return jobs
}

// population is a kind of jobs on a machine of a certain size.
type population struct {
	Kind
	arrivals
	at        float64 // time of its next submission
	dice      *rand.Rand
	nodes     int
	bend, top float64 // of sizes
	short     func() float64
	long      func() float64
}

func newPopulation(k Kind, nodes int, dice *rand.Rand) *population {
	gap := k.Gap
	gap.Shape *= k.Ratio
	top := max(k.Low, math.Log2(float64(nodes))-k.Margin)
	p := &population{
		Kind: k, dice: dice, nodes: nodes, top: top, bend: max(k.Low, top-k.Bend),
		arrivals: arrivals{day: newDay(k.Day), gap: below(longestGap, gap.over(dice).Rand)},
		short:    k.Short.over(dice).Rand, long: k.Long.over(dice).Rand,
	}
	p.at = p.next()
	return p
}

// job draws the job that is submitted at p.at, and the time of the next one. Times are truncated to
// whole seconds. A run takes at least one.
func (p *population) job() workload.Job {
	tasks := p.size()
	j := workload.Job{
		Submit: cluster.Time(p.at) * cluster.Second, Tasks: tasks,
		Runtime: cluster.Time(max(1, math.Exp(p.runtime(tasks)))) * cluster.Second,
	}
	p.at = p.next()
	return j
}

// size draws a number of tasks: one, or a two-stage uniform number in log2. It is rounded to a power
// of two with the kind's probability of such jobs.
func (p *population) size() int {
	u := p.dice.Float64()
	if u < p.Serial {
		return 1
	}
	log := uniform(p.dice, p.bend, p.top)
	if p.dice.Float64() < p.LowProb {
		log = uniform(p.dice, p.Low, p.bend)
	}
	if u < p.Serial+p.PowerOf2 {
		log = math.Round(log)
	}
	return min(p.nodes, int(math.Round(math.Exp2(log))))
}

func uniform(dice *rand.Rand, low, high float64) float64 { return low + (high-low)*dice.Float64() }

// runtime draws the logarithm of a run time from the hyper-gamma distribution. Larger jobs have fewer
// short runs.
func (p *population) runtime(tasks int) float64 {
	return below(longestRun, func() float64 {
		if p.dice.Float64() < p.shortProb(tasks) {
			return p.short()
		}
		return p.long()
	})()
}

func (k *Kind) shortProb(tasks int) float64 {
	return min(1, max(0, k.Slope*float64(tasks)+k.Intercept))
}
