//go:build linux

package main

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOnlyAClockThatIsWrongByMoreThanASecondIsSet(t *testing.T) {
	second := secondOf(&unix.RTCTime{Year: 126, Mon: 10, Mday: 26, Hour: 1, Min: 2, Sec: 3})
	if want := time.Date(2026, 11, 26, 1, 2, 3, 0, time.UTC); !second.Equal(want) {
		t.Fatalf("read as %v, want %v", second, want)
	}
	for off, wrong := range map[time.Duration]bool{
		-time.Hour: true, -1001 * time.Millisecond: true, -time.Second: false, 0: false, 999 * time.Millisecond: false,
		2 * time.Second: false, 2001 * time.Millisecond: true, 30 * time.Second: true,
	} {
		right, differs := corrected(second.Add(off), second)
		if differs != wrong || right.Sub(second) != 500*time.Millisecond {
			t.Errorf("%v off: %v, set to %v", off, differs, right)
		}
	}
}
