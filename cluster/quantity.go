package cluster

import "fmt"

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

// CPU is an amount of processing power in millicores; a simulated unit node has 100,000.
type CPU int64

// Core is one processor core.
const Core CPU = 1000

// minShare is the smallest share per virtual CPU that a hypervisor enforces accurately.
const minShare CPU = 10

func (c CPU) String() string { return fmt.Sprintf("%dm", int64(c)) }

// Bytes is an amount of memory or storage in bytes.
type Bytes int64

// MiB is 2^20 bytes.
const MiB Bytes = 1 << 20

func (b Bytes) String() string {
	if b%MiB == 0 {
		return fmt.Sprintf("%dMi", int64(b/MiB))
	}
	return fmt.Sprintf("%d", int64(b))
}
