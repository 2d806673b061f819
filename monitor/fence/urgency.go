package fence

import (
	"errors"
	"os"
	"strconv"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"
)

// lowest is the lowest real-time priority: above all usual programs, and below the kernel's own threads.
const lowest = 1

// Urge keeps this process's memory from being swapped out and its threads from waiting for busy programs, as far as the
// system allows that. Threads that begin later inherit the priority. A process that is only a fence calls it first.
func Urge(log zerolog.Logger) {
	err := errors.Join(unix.Mlockall(unix.MCL_CURRENT|unix.MCL_FUTURE|unix.MCL_ONFAULT), hasten())
	if err != nil {
		log.Warn().Err(err).Msg(
			"the fence may be slow on a machine without memory or CPU: it may not lock its memory or take priority")
	}
}

// hasten gives all threads of this process real-time priority.
func hasten() error {
	threads, err := os.ReadDir("/proc/self/task")
	for _, thread := range threads {
		if tid, number := strconv.Atoi(thread.Name()); number == nil {
			attr := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: lowest}
			err = errors.Join(err, unix.SchedSetAttr(tid, attr, 0))
		}
	}
	return err
}
