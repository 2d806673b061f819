package pace

import "testing"

func TestStopIsCalledAfterBetweenItemsAndNeverAgainOnceTrue(t *testing.T) {
	asked := 0
	p := Pace{Stop: func() bool { asked++; return asked == 3 }}
	for looked := 1; looked <= 5*Between; looked++ {
		if ended := p.Seen(1); ended != (looked >= 3*Between) {
			t.Fatalf("ended %v after %d items", ended, looked)
		}
	}
	if asked != 3 || !p.Ask() || asked != 3 {
		t.Errorf("asked %d times", asked)
	}
}

func TestTheZeroPaceNeverStops(t *testing.T) {
	var p Pace
	if p.Ask() || p.Seen(2*Between) {
		t.Error("it ended")
	}
}
