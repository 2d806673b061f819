package wire

import (
	"testing"
	"time"
)

func TestAnAnswerSettlesItsHeartbeatAndEarlierOnes(t *testing.T) {
	p := pulse{sent: map[uint64]time.Duration{}}
	for second := range time.Duration(3) {
		p.send(second * time.Second)
	}
	if _, ok := p.answered(9); ok || p.unanswered(3*time.Second) != 3*time.Second {
		t.Error("the answer to a heartbeat that was never sent settles others")
	}
	if at, ok := p.answered(2); !ok || at != time.Second {
		t.Errorf("the second was sent at %v, %v", at, ok)
	}
	if longest := p.unanswered(3 * time.Second); longest != time.Second {
		t.Errorf("the third was sent 1 s ago, and one is unanswered for %v", longest)
	}
	for _, number := range []uint64{1, 2} {
		if _, ok := p.answered(number); ok {
			t.Errorf("heartbeat %d is answered twice", number)
		}
	}
}
