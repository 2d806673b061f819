package check

import (
	"math/bits"

	"aliquot/cluster"
)

// sum is an amount of CPU time in 128 bits, in millicore-microseconds.
type sum struct{ hi, lo uint64 }

func (s sum) plus(share cluster.CPU, t cluster.Time) sum {
	hi, lo := bits.Mul64(uint64(share), uint64(t))
	lo, carry := bits.Add64(s.lo, lo, 0)
	hi, _ = bits.Add64(s.hi, hi, carry)
	return sum{hi, lo}
}

func (s sum) less(o sum) bool { return s.hi < o.hi || s.hi == o.hi && s.lo < o.lo }

func (s sum) float() float64 { return float64(s.hi)*(1<<64) + float64(s.lo) }
