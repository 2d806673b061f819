//go:build linux

package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	hardwareClock = "/dev/rtc0"
	clockPeriod   = 2 * time.Second
)

// keepTime sets the system clock by the hardware clock whenever the two differ, as they do after the machine stood
// still. The hypervisor derives the hardware clock from the node's time; the system clock only counts on. The task
// lacks the capability to set either.
func keepTime() {
	rtc, err := os.Open(hardwareClock)
	if err != nil {
		fmt.Fprintln(os.Stderr, "aliquot init: the time will be wrong after a pause:", err)
		return
	}
	defer rtc.Close()
	for told := false; ; time.Sleep(clockPeriod) {
		if err := setClock(int(rtc.Fd())); err != nil && !told {
			fmt.Fprintln(os.Stderr, "aliquot init: the time stays as it is for now:", err)
			told = true
		}
	}
}

func setClock(rtc int) error {
	t, err := unix.IoctlGetRTCTime(rtc)
	if err != nil {
		return fmt.Errorf("read %s: %w", hardwareClock, err)
	}
	right, differs := corrected(time.Now(), secondOf(t))
	if !differs {
		return nil
	}
	ts := unix.NsecToTimespec(right.UnixNano())
	if err := unix.ClockSettime(unix.CLOCK_REALTIME, &ts); err != nil {
		return fmt.Errorf("set the time: %w", err)
	}
	return nil
}

// secondOf returns the begin of the second that the hardware clock shows, which is in UTC.
func secondOf(t *unix.RTCTime) time.Time {
	return time.Date(int(t.Year)+1900, time.Month(t.Mon+1), int(t.Mday), int(t.Hour), int(t.Min), int(t.Sec), 0, time.UTC)
}

// corrected returns the middle of the hardware clock's second, and whether the system clock is more than a second
// outside of that second.
func corrected(system, second time.Time) (right time.Time, differs bool) {
	off := system.Sub(second)
	return second.Add(time.Second / 2), off < -time.Second || off > 2*time.Second
}
