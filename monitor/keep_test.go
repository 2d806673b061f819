package monitor

import (
	"testing"
	"time"
)

func TestAFenceIsAliveForTenSecondsAfterASignOfThisBoot(t *testing.T) {
	for name, c := range map[string]struct {
		sign  *FenceSign
		alive bool
	}{
		"no sign":             {nil, false},
		"a sign of 9 s ago":   {&FenceSign{At: 91 * time.Second, Boot: "now"}, true},
		"a sign of 10 s ago":  {&FenceSign{At: 90 * time.Second, Boot: "now"}, false},
		"one of another boot": {&FenceSign{At: 99 * time.Second, Boot: "before"}, false},
	} {
		a := &Agent{config: Config{Boot: "now", Boottime: func() time.Duration { return 100 * time.Second }}}
		a.sign.Store(c.sign)
		if alive := a.fenceAlive(); alive != c.alive {
			t.Errorf("%s: alive is %v", name, alive)
		}
	}
}
