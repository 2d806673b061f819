// Package cpu measures the processor time of benchmarks. Other processes disturb it less than the clock, because it
// excludes waiting for a processor. It is not shipped.
//
// Reference: getrusage(2).
package cpu

import (
	"syscall"
	"testing"
	"time"
)

// Time returns the processor time used by this process so far, garbage collection included.
func Time(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
