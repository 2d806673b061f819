package main

import (
	"strings"
	"testing"
	"time"
)

func TestATokenIsRevokedByItsNameIfNoOtherValidOneHasIt(t *testing.T) {
	d := newDesk(t)
	d.ok("token create ci --role user")
	if o := d.run("token revoke ci"); o.code != exitDone || !strings.HasSuffix(o.err, " of ci is revoked.\n") {
		t.Errorf("the only one: %+v", o)
	}
	d.ok("token create ci --role user")
	if o := d.run("token revoke ci"); o.code != exitDone {
		t.Errorf("the only valid one: %+v", o)
	}
	d.ok("token create ci --role user")
	d.ok("token create ci --role viewer")
	if o := d.run("token revoke ci"); o.code != exitFailed || !strings.Contains(o.err, "2 valid tokens are named ci") {
		t.Errorf("one of two: %+v", o)
	}
	if o := d.run("token revoke nobody"); o.code != exitFailed || !strings.Contains(o.err, `no token has the id "nobody"`) {
		t.Errorf("none: %+v", o)
	}
	if list := d.ok("token list"); strings.Count(list, "revoked") != 2 {
		t.Error(list)
	}
}

func TestTheIdOfATokenIsToldBesideItsSecret(t *testing.T) {
	d := newDesk(t)
	o := d.run("token create ci")
	id, _, _ := strings.Cut(strings.TrimPrefix(o.err, "The token "), " of ci is shown only once.\n")
	if strings.Contains(o.out, id) || !strings.Contains(d.ok("token list"), id+"  ci ") || len(id) != 12 {
		t.Errorf("%+v", o)
	}
}

func TestAnInvitationToAFileSaysNothingElse(t *testing.T) {
	if o := newDesk(t).run("node invite n9"); o.code != 0 || o.err != "" || strings.Count(o.out, "\n") != 1 {
		t.Errorf("%+v", o)
	}
}

func TestALastUseIsNotShownFinerThanItIsKnown(t *testing.T) {
	used := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for after, want := range map[time.Duration]string{
		90 * time.Second: "within the last 2 min", 2 * time.Minute: "2026-01-02 03:04 UTC",
	} {
		if got := lastUse(used, used.Add(after)); got != want {
			t.Errorf("%v later: %q, want %q", after, got, want)
		}
	}
}
