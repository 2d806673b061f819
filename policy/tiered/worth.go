package tiered

import (
	"math"
	"math/bits"

	"aliquot/cluster"
)

const (
	briefest  = 30 * cluster.Second    // time in the system that counts at least
	mostWorth = 1 << 44                // of a job that has not run
	longest   = 1 << 32                // work in milliseconds that still fits when it is squared
	ms        = cluster.Second / 1_000 // in microseconds
)

// worth returns the worth of a place in the foreground to a task of a job: flow / (work² · √tasks), at most mostWorth.
// Its unit is 2⁻⁴⁰ per millisecond. It is exact but for rounding to whole units.
func worth(flow, work cluster.Time, tasks int) uint64 {
	done := min(uint64(work/ms), longest-1)
	hi, lo := bits.Mul64(uint64(max(briefest, flow)/ms), 1<<40)
	if hi >= done*done {
		return mostWorth
	}
	quotient, _ := bits.Div64(hi, lo, done*done)
	return min(quotient, mostWorth) << 10 / root(tasks)
}

// root returns the square root of a number of tasks, in parts of 1/1024. A square root is rounded in the same way on
// every machine.
func root(tasks int) uint64 { return uint64(math.Sqrt(float64(tasks << 20))) }
