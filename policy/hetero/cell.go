package hetero

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
)

// Longest is the longest run that counts as an experience: less than a year.
const Longest Ticks = 365*24*3600*1000 - 1

// Pair is what experience is kept for: a type of job on a resource.
type Pair struct {
	Type     string
	Parallel bool
	Resource string // name of a machine or a cluster, or of a class of them
}

// Compare orders pairs by type, then kind, then resource.
func (p Pair) Compare(o Pair) int {
	return cmp.Or(cmp.Compare(p.Type, o.Type), cmp.Compare(p.Kind(), o.Kind())*-1, cmp.Compare(p.Resource, o.Resource))
}

// The kinds of runs.
const (
	SequentialKind = "seq"
	ParallelKind   = "par"
)

// Kind returns seq or par.
func (p Pair) Kind() string {
	if p.Parallel {
		return ParallelKind
	}
	return SequentialKind
}

// Cell is the history of a pair.
type Cell struct {
	Count   int64
	Sum     Ticks    // of the times of all runs
	Squares *big.Int // sum of the squares of those times
}

// plus returns the history of both.
func (c Cell) plus(o Cell) Cell {
	return Cell{c.Count + o.Count, c.Sum + o.Sum, new(big.Int).Add(c.Squares, o.Squares)}
}

// once returns the history of one run.
func once(t Ticks) Cell {
	return Cell{1, t, new(big.Int).Mul(big.NewInt(int64(t)), big.NewInt(int64(t)))}
}

// Mean returns the mean time, rounded to the nearest tick.
func (c Cell) Mean() Ticks { return (c.Sum + Ticks(c.Count)/2) / Ticks(c.Count) }

// Deviation returns the standard deviation of the times, in ticks; 0 for one run.
func (c Cell) Deviation() float64 {
	if c.Count < 2 {
		return 0
	}
	sum := big.NewInt(int64(c.Sum))
	spread := new(big.Int).Mul(c.Squares, big.NewInt(c.Count)) // count² times the variance
	spread.Sub(spread, sum.Mul(sum, sum))
	of, _ := new(big.Float).SetInt(spread).Float64()
	return math.Sqrt(of / float64(c.Count) / float64(c.Count-1))
}

// most is the greatest count of a cell, so that sums do not overflow.
const most = 1 << 24

// Check returns why no runs can have left such a history, or nil.
func (c Cell) Check() error {
	if c.Count < 1 || c.Count > most {
		return fmt.Errorf("count is %d, must be from 1 to %d", c.Count, most)
	}
	if c.Sum < Ticks(c.Count) || c.Sum > Longest*Ticks(c.Count) {
		return fmt.Errorf("the mean of %d runs in %d ms is not from 1 ms to less than a year", c.Count, c.Sum)
	}
	sum := big.NewInt(int64(c.Sum))
	square := new(big.Int).Mul(sum, sum)
	if least := new(big.Int).Mul(c.Squares, big.NewInt(c.Count)); least.Cmp(square) < 0 {
		return fmt.Errorf("squares is %v, too small for %d runs in %d ms", c.Squares, c.Count, c.Sum)
	}
	if c.Squares.Cmp(square) > 0 {
		return fmt.Errorf("squares is %v, too large for %d runs in %d ms", c.Squares, c.Count, c.Sum)
	}
	return nil
}
