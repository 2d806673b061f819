package monitor

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func TestAnOutageIsLoggedWhenItBeginsOnceAMinuteAndWhenItEnds(t *testing.T) {
	var o outage
	start := time.Unix(1000, 0)
	told := 0
	for i := range 181 { // a failure each second, for three minutes
		if o.fails(start.Add(time.Duration(i) * time.Second)) {
			told++
		}
	}
	if told != 4 {
		t.Errorf("told %d times", told)
	}
	if lasted, tell := o.ends(start.Add(185 * time.Second)); lasted != 185*time.Second || !tell {
		t.Errorf("it ends after %v, told %v", lasted, tell)
	}
	if _, tell := o.ends(start.Add(186 * time.Second)); tell {
		t.Error("an end is told twice")
	}
	for i := range 40 { // failures and successes in turns
		if o.fails(start.Add(200*time.Second + time.Duration(i)*time.Second)) {
			t.Error("it is told more than once a minute")
		}
		if _, tell := o.ends(start.Add(201*time.Second + time.Duration(i)*time.Second)); tell {
			t.Error("the end of what was not told is told")
		}
	}
}

func TestADeadHypervisorIsLoggedWhenItIsLostAndWhenItIsBack(t *testing.T) {
	var lines bytes.Buffer
	a := &Agent{tried: newTried(nil)}
	a.work = newWork()
	a.config.Log, a.config.Rhythm.Silence = zerolog.New(&lines), time.Nanosecond
	for range 100 {
		a.hear(errors.New("connection refused"))
	}
	lost := lines.String()
	if !a.mute || strings.Count(lost, "\n") > 2 || !strings.Contains(lost, "the hypervisor is silent") {
		t.Errorf("lost: %s", &lines)
	}
	lines.Reset()
	for range 3 {
		a.hear(nil)
	}
	if a.mute || strings.Count(lines.String(), "\n") != 1 || !strings.Contains(lines.String(), "answers again") {
		t.Errorf("back: %s", &lines)
	}
}
