package market

import (
	"math"
	"math/rand/v2"
	"slices"
)

// The parameters of the thesis.
const (
	population  = 100
	generations = 10
	niche       = 0.041 // σ_share: the distance within which plans share their fitness
)

// genome says which slots a plan may use.
type genome []bool

// individual is a genome with its plan.
type individual struct {
	genome
	plan     Plan
	feasible bool
	rank     int
	fitness  float64
}

// MOGA returns the front that the genetic algorithm of the thesis finds: it searches subsets of the slots, on which
// decode places the tasks. Equal seeds give equal fronts.
func (a *Advertised) MOGA(seed uint64) (front Front) {
	dice := rand.New(rand.NewPCG(seed, 0))
	order := a.order(a.ranks(a.Sites))
	var all []individual
	for range population {
		g := make(genome, len(a.Slots))
		for i := range g {
			g[i] = dice.Uint64()&1 == 1
		}
		all = append(all, individual{genome: g})
	}
	for generation := 0; ; generation++ {
		for i := range all {
			one := &all[i]
			if one.plan, one.feasible = a.decode(order, one.genome); one.feasible {
				front.Add(one.plan)
			}
		}
		if generation == generations {
			return front
		}
		grade(all)
		all = breed(all, dice)
	}
}

// grade sets the ranks and the fitness of a population.
func grade(all []individual) {
	var counts [population + 2]int // by rank
	for i := range all {
		all[i].rank = 1
		for k := range all {
			p, q := &all[k], &all[i]
			if p.feasible && q.feasible && p.plan.dominates(&q.plan) && !q.plan.dominates(&p.plan) {
				q.rank++
			}
		}
		if all[i].feasible {
			counts[all[i].rank]++
		}
	}
	cost, time := spans(all)
	better := 0
	for rank, n := range counts {
		if n > 0 {
			share(all, rank, float64(2*(len(all)-better)-(n-1))/2, cost, time)
		}
		better += n
	}
}

// spans returns the ranges of the cost and the makespan of feasible plans, at least 1.
func spans(all []individual) (cost, time float64) {
	low, high := Plan{Cost: math.MaxInt64, Makespan: math.MaxInt64}, Plan{}
	for _, one := range all {
		if one.feasible {
			low = Plan{Cost: min(low.Cost, one.plan.Cost), Makespan: min(low.Makespan, one.plan.Makespan)}
			high = Plan{Cost: max(high.Cost, one.plan.Cost), Makespan: max(high.Makespan, one.plan.Makespan)}
		}
	}
	return max(1, float64(high.Cost-low.Cost)), max(1, float64(high.Makespan-low.Makespan))
}

// share divides the fitness of a rank: plans with others nearby get less, and the sum stays.
func share(all []individual, rank int, fitness, cost, time float64) {
	var same []*individual
	for i := range all {
		if all[i].feasible && all[i].rank == rank {
			same = append(same, &all[i])
		}
	}
	sum := 0.
	for _, one := range same {
		near := 0.
		for _, other := range same {
			x, y := float64(one.plan.Cost-other.plan.Cost)/cost, float64(one.plan.Makespan-other.plan.Makespan)/time
			d := math.Sqrt(float64(x*x) + float64(y*y)) // conversions forbid fused operations: equal on all machines
			near += max(0, 1-d/niche)
		}
		one.fitness = fitness / near
		sum += one.fitness
	}
	for _, one := range same {
		one.fitness *= fitness * float64(len(same)) / sum
	}
}

// breed returns the next population: parents drawn by fitness, crossed in pairs at two points, and mutated.
func breed(all []individual, dice *rand.Rand) (next []individual) {
	sum := 0.
	sums := make([]float64, len(all))
	for i, one := range all {
		sum += one.fitness
		sums[i] = sum
	}
	for range all {
		at := dice.IntN(len(all))
		if sum > 0 {
			at, _ = slices.BinarySearch(sums, dice.Float64()*sum)
		}
		next = append(next, individual{genome: slices.Clone(all[min(at, len(all)-1)].genome)})
	}
	dice.Shuffle(len(next), func(i, k int) { next[i], next[k] = next[k], next[i] })
	for i := 0; i+1 < len(next); i += 2 {
		cross(next[i].genome, next[i+1].genome, dice)
	}
	for _, one := range next {
		for i := range one.genome {
			if dice.IntN(len(one.genome)) == 0 {
				one.genome[i] = !one.genome[i]
			}
		}
	}
	return next
}

// cross swaps the bits between two points.
func cross(a, b genome, dice *rand.Rand) {
	low, high := dice.IntN(len(a)+1), dice.IntN(len(a)+1)
	for i := min(low, high); i < max(low, high); i++ {
		a[i], b[i] = b[i], a[i]
	}
}
