package cluster

import (
	"fmt"
	"math"
	"strconv"
)

// Time is a point in time or a duration in microseconds: since the epoch in a live
// cluster, since zero in a simulation.
type Time int64

// Units of Time.
const (
	Microsecond Time = 1
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
)

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Words returns a duration for people, in its two largest units: 45 s, 2 h 2 min.
func (t Time) Words() string {
	switch s := max(0, t) / Second; {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return both(s/60, "min", s%60, "s")
	case s < 86_400:
		return both(s/3600, "h", s%3600/60, "min")
	default:
		return both(s/86_400, "d", s%86_400/3600, "h")
	}
}

func both(many Time, unit string, rest Time, lesser string) string {
	if rest == 0 {
		return fmt.Sprintf("%d %s", many, unit)
	}
	return fmt.Sprintf("%d %s %d %s", many, unit, rest, lesser)
}

// CPU is an amount of processing power in millicores of a reference processor, see Speed; a simulated unit node has
// 100,000.
type CPU int64

// Core is one processor core, in millicores.
const Core CPU = 1000

// minShare is the smallest share per virtual CPU that a hypervisor enforces accurately.
const minShare CPU = 10

func (c CPU) String() string { return fmt.Sprintf("%dm", int64(c)) }

// Bytes is an amount of memory or storage in bytes.
type Bytes int64

// MiB is 2^20 bytes.
const MiB Bytes = 1 << 20

// String returns the exact amount, in the form that ParseBytes reads.
func (b Bytes) String() string {
	if b%MiB == 0 {
		return fmt.Sprintf("%dMi", int64(b/MiB))
	}
	return fmt.Sprintf("%d", int64(b))
}

// Words returns the amount for people, in the largest unit that it reaches: 96 MiB, 23.3 GiB.
func (b Bytes) Words() string {
	for _, u := range units {
		if b >= u.size {
			return short(float64(b)/float64(u.size)) + " " + u.suffix + "B"
		}
	}
	return fmt.Sprintf("%d B", int64(b))
}

// short formats a number below 1,024: with one decimal if it is below 100 and not whole, else rounded.
func short(x float64) string {
	if x < 100 && x != math.Trunc(x) {
		return strconv.FormatFloat(math.Round(x*10)/10, 'f', 1, 64)
	}
	whole := int(math.Round(x))
	if whole < 1000 {
		return strconv.Itoa(whole)
	}
	return fmt.Sprintf("%d,%03d", whole/1000, whole%1000)
}
