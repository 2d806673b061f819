// Package cpu tells benchmarks of all packages what they cost in processor time, which other processes disturb less than the
// clock: it does not count waiting for a processor. It is no part of what is shipped. Reference: getrusage(2).
package cpu

import (
	"syscall"
	"testing"
	"time"
)

// Time is what this process has used so far, collecting its garbage included.
func Time(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
