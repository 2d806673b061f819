package link

import (
	"testing"
	"time"
)

func TestALeaseIsRenewedWithinItsTermAndNeverShortened(t *testing.T) {
	claimed := time.Now()
	at := func(seconds int) time.Time { return claimed.Add(time.Duration(seconds) * time.Second) }
	term := newTerm(claimed, nil)
	if late, ok := term.renew(1, at(30), at(31), lease); late || !ok {
		t.Errorf("a heartbeat in time: late %v, counts %v", late, ok)
	}
	if _, ok := term.renew(1, at(20), at(32), lease); !ok || !term.renewal(1).Equal(at(30)) {
		t.Errorf("an older heartbeat moved the renewal to %v after the claim", term.renewal(1).Sub(claimed))
	}
	if late, ok := term.renew(1, at(199), at(200), lease); !late || !ok {
		t.Errorf("a heartbeat after the lease's end: late %v, counts %v", late, ok)
	}
	term.end("")
	if _, ok := term.renew(1, at(201), at(202), lease); ok || !term.renewal(1).Equal(at(199)) {
		t.Errorf("renewed after the term's end: %v", ok)
	}
}
