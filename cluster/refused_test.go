package cluster

import (
	"fmt"
	"testing"
)

// ask applies a named command with the time of its manager.
func (d desk) ask(name string, at Time, a Action) Result {
	d.Helper()
	return d.Apply(d.Revision+1, Command{At: at, Actor: root, Request: name, Action: a})
}

var (
	welcome   = SetQuota{Quota{Owner: "ada"}}
	unwelcome = SetQuota{} // of nobody
)

// A manager proposes a command again while it waits. The user of the first copy was told that there is no room.
func TestACopyOfARefusedCommandIsRefusedThoughItCouldBeDone(t *testing.T) {
	d := newDesk(t)
	first := d.ask("rest/t1/key", Second, unwelcome)
	if first.Rejection == nil {
		t.Fatal("a quota of nobody is set")
	}
	if r := d.ask("rest/t1/key", Second, welcome); r.Rejection == nil || r.Rejection.Code != CodeConflict {
		t.Errorf("its copy: %+v", r)
	}
	d.checked()
	if r := d.ask("rest/t1/key", Second+1, welcome); r.Rejection != nil {
		t.Errorf("asked again later under the same key: %v", r.Rejection)
	}
	if r := d.ask("rest/t1/key", Second+1, welcome); !r.Repeated {
		t.Errorf("a copy of what was done then: %+v", r)
	}
	if r := d.ask("", Second, unwelcome); r.Rejection == nil {
		t.Error("a quota of nobody is set")
	}
	if r := d.ask("", Second, welcome); r.Rejection != nil {
		t.Errorf("commands without a name are no copies: %v", r.Rejection)
	}
	d.checked()
}

func TestRefusalsAreForgottenAfterAnHourAndTheOldestOfMany(t *testing.T) {
	d := newDesk(t)
	for i := range maxRefused + 10 {
		d.ask(fmt.Sprint("rest/t1/", i), Second, unwelcome)
	}
	if n := d.refusals.Len(); n != maxRefused {
		t.Errorf("%d refusals are kept", n)
	}
	d.checked()
	last := fmt.Sprint("rest/t1/", maxRefused+9)
	if r := d.ask(last, Second, welcome); r.Rejection == nil {
		t.Error("the latest refusal is forgotten")
	}
	for at := Second; at < 2*Hour; at += MaxStep { // nothing is refused meanwhile
		d.ask("", at, Checkpoint{})
	}
	for i := range maxRefused {
		d.ask(fmt.Sprint("rest/t2/", i), d.Now, unwelcome)
	}
	if r := d.ask(last, Second, welcome); r.Rejection != nil {
		t.Errorf("after two hours: %v", r.Rejection)
	}
	d.checked()
}

func TestRefusalsAreRememberedFromTheirFormatOn(t *testing.T) {
	d := newDesk(t)
	d.Format = refuses - 1
	d.ask("rest/t1/key", Second, unwelcome)
	if r := d.ask("rest/t1/key", Second, welcome); r.Rejection != nil || d.refusals.Len() > 0 {
		t.Errorf("%v, %d remembered", r.Rejection, d.refusals.Len())
	}
}

// A leader that was told that another leads reads the state and proposes the same again.
func TestALeadersRefusedCommandMayBeRepeated(t *testing.T) {
	d := newDesk(t)
	login := Command{At: Second, Actor: Actor{Role: System}, Request: "login/CODE", Epoch: d.Epoch + 1,
		Action: Checkpoint{}}
	if r := d.Apply(d.Revision+1, login); r.Rejection == nil || r.Rejection.Code != CodeStaleEpoch {
		t.Fatalf("a wrong epoch: %+v", r)
	}
	login.Epoch = d.Epoch
	if r := d.Apply(d.Revision+1, login); r.Rejection != nil {
		t.Errorf("the right one then: %v", r.Rejection)
	}
}
