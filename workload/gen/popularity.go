package gen

import (
	"math"
	"math/rand/v2"
	"slices"

	"aliquot/cluster"
)

const minute = 60 * cluster.Second

// popularity is the share of the jobs that have an estimate.
type popularity struct {
	estimate cluster.Time
	share    float64
}

// head is the number of popular estimates, which headShare of the jobs have.
const (
	head      = 20
	headShare = 0.89
)

// popularities draws the popularity of each estimate that a number of jobs use. The sum of the shares is 1.
func popularities(r *rand.Rand, jobs int, maximum cluster.Time) []popularity {
	times, ranks := headTimes(maximum), headRanks(r)
	all := make([]popularity, 0, head)
	for i, t := range times {
		all = append(all, popularity{t, headShares()[ranks[i]-1]})
	}
	bins := binCount(jobs)
	rest := tailTimes(times, bins, maximum)
	if len(rest) == 0 { // few jobs have popular estimates only
		for i := range all {
			all[i].share /= headShare
		}
		return all
	}
	r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for i, share := range tailShares(len(rest)) {
		all = append(all, popularity{rest[i], share})
	}
	return all
}

// binCounts is the number of different estimates that a number of jobs use, linear in between.
var binCounts = [][2]float64{{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10000, 90}, {70000, 340}, {250000, 565}}

func binCount(jobs int) int {
	low := binCounts[0]
	for _, high := range binCounts[1:] {
		if float64(jobs) <= high[0] {
			return int(math.Round(low[1] + (float64(jobs)-low[0])*(high[1]-low[1])/(high[0]-low[0])))
		}
		low = high
	}
	return int(low[1])
}

// Estimates that were popular in all four logs of the paper, and the units of round numbers, in minutes.
var (
	popularInAll = []cluster.Time{5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080}
	roundUnits   = []cluster.Time{200 * 60, 100 * 60, 50 * 60, 10 * 60, 5 * 60, 2 * 60, 60, 20, 10, 5}
)

// headTimes returns the popular estimates: the maximum, then the others in ascending order. Where too few are below the
// maximum, multiples of round units complete them, the largest unit and the largest multiple first.
func headTimes(maximum cluster.Time) []cluster.Time {
	times := make([]cluster.Time, 1, head)
	times[0] = maximum
	for _, t := range popularInAll {
		if t*minute < maximum {
			times = append(times, t*minute)
		}
	}
	for _, unit := range roundUnits {
		for t := maximum / (unit * minute) * unit * minute; t > 0 && len(times) < head; t -= unit * minute {
			if !slices.Contains(times, t) {
				times = append(times, t)
			}
		}
	}
	slices.Sort(times[1:])
	return times
}

// headShares returns the shares of the popular estimates, the most popular first: an exponential for the ranks from 2
// on, and what is left for rank 1.
func headShares() []float64 {
	shares := make([]float64, head)
	shares[0] = headShare
	for i := 1; i < head; i++ {
		shares[i] = (14.0491*math.Exp(-0.177531*float64(i+1)) + 0.462513) / 100
		shares[0] -= shares[i]
	}
	return shares
}

// rankInLogs gives, for the popular estimates of four logs (SDSC-106, CTC, KTH, Blue) in the order of headTimes, the
// rank of their popularity.
var rankInLogs = [head][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7},
	{7, 9, 2, 2}, {8, 8, 3, 18}, {18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11},
	{16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14}, {14, 14, 9, 13},
	{19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// headRanks draws the rank of popularity, from 1, of each of the popular estimates. The maximum has rank 1. Another one
// has a rank that it or a shorter one has in some log, the smaller of two draws. No rank is left for estimates that are
// longer than those that have it in any log.
func headRanks(r *rand.Rand) [head]int {
	var ranks [head]int
	var pool []int
	last := [head + 1]int{} // by rank: the last row that has it
	for row, logs := range rankInLogs {
		for _, rank := range logs {
			last[rank] = row
		}
	}
	for row, logs := range rankInLogs {
		for _, rank := range logs {
			if !slices.Contains(ranks[:row], rank) {
				pool = append(pool, rank)
			}
		}
		ranks[row] = 1
		if row > 0 {
			ranks[row] = pick(r, pool, func(rank int) bool { return last[rank] <= row })
		}
		pool = slices.DeleteFunc(pool, func(rank int) bool { return rank == ranks[row] })
	}
	return ranks
}

// pick returns the smallest rank of the pool that is due, or else the smaller of two random ones.
func pick(r *rand.Rand, pool []int, due func(int) bool) int {
	a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
	for _, rank := range slices.Sorted(slices.Values(pool)) {
		if due(rank) {
			return rank
		}
	}
	return min(a, b)
}

// tailTimes returns the unpopular estimates, on whole minutes where these are free, or a few seconds off.
func tailTimes(taken []cluster.Time, bins int, maximum cluster.Time) []cluster.Time {
	seen := map[cluster.Time]bool{}
	for _, t := range taken {
		seen[t] = true
	}
	var times []cluster.Time
	a, n := 1+12.1039*math.Pow(float64(bins), -0.6026), bins-len(taken)
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		y := (a - 1) * x / (a - x)
		at := cluster.Time(math.Round(y*maximum.Seconds()/60)) * minute
		for _, offset := range []cluster.Time{0, 30, -30, 20, -20, 10, -10} {
			if t := at + offset*cluster.Second; t > 0 && t < maximum && !seen[t] {
				times, seen[t] = append(times, t), true
				break
			}
		}
	}
	return times
}

// tailShares returns the shares of the unpopular estimates, the most popular first: a power law.
func tailShares(n int) []float64 {
	shares, sum := make([]float64, n), 0.
	for i := range shares {
		shares[i] = math.Pow(float64(head+1+i), -2.267)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] *= (1 - headShare) / sum
	}
	return shares
}
