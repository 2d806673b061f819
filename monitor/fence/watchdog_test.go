package fence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// No test here names a real watchdog: a test that died would reset the machine.

func TestWhatIsNoWatchdogIsNotArmed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, device := range []string{os.DevNull, file} {
		if w, err := choose(device, "", zerolog.Nop()); w != nil || err == nil ||
			!strings.Contains(err.Error(), device+" is not a watchdog") {
			t.Errorf("%s: %v, %v", device, w, err)
		}
	}
	if w, err := choose(filepath.Join(t.TempDir(), "gone"), "", zerolog.Nop()); w != nil || err == nil {
		t.Errorf("a device that is not there: %v, %v", w, err)
	}
}

func TestTheFenceDoesWithoutTheUsualWatchdog(t *testing.T) {
	for _, c := range []struct {
		configured, usual string
		told              bool
	}{
		{"", os.DevNull, false}, {"none", os.DevNull, false},
		{"auto", filepath.Join(t.TempDir(), "gone"), false}, {"auto", os.DevNull, true},
	} {
		var log strings.Builder
		w, err := choose(c.configured, c.usual, zerolog.New(&log))
		if w != nil || err != nil || (log.Len() > 0) != c.told {
			t.Errorf("%q with %s: %v, %v, logs %q", c.configured, c.usual, w, err, log.String())
		}
	}
}

func TestAWatchdogThatResetsTheMachineTooLateIsRefused(t *testing.T) {
	for seconds, armed := range map[int]bool{1: true, watchdogTime: true, watchdogTime + 1: false, 60: false} {
		if err := timely(seconds, nil); (err == nil) != armed {
			t.Errorf("%d s: %v", seconds, err)
		}
	}
}
