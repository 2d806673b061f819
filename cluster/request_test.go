package cluster

import (
	"fmt"
	"strings"
	"testing"
)

// desk applies commands with named requests.
type desk struct {
	*testing.T
	*State
}

func newDesk(t *testing.T) desk {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	s.Apply(1, Command{Actor: root, Action: Claim{Replica: 1, Term: 1}})
	return desk{t, s}
}

func (d desk) do(request string, a Action) Result {
	d.Helper()
	return d.Apply(d.Revision+1, Command{Actor: root, Request: request, Epoch: d.Epoch, Action: a})
}

func (d desk) ok(request string, a Action) Result {
	d.Helper()
	r := d.do(request, a)
	if r.Rejection != nil {
		d.Fatalf("%s: %v", request, r.Rejection)
	}
	return r
}

func (d desk) knows(request string) bool { return d.do(request, Checkpoint{}).Repeated }

func (d desk) checked() {
	d.Helper()
	if err := d.Check(); err != nil {
		d.Fatal(err)
	}
}

func TestManyRequestsOfOneSenderPushOutOnlyItsOwn(t *testing.T) {
	d := newDesk(t)
	d.ok("login/t1/CODE", Checkpoint{})
	d.ok("rest/t2/other", Checkpoint{})
	for i := range maxOwn + 100 {
		d.ok(fmt.Sprint("rest/t1/key/", i), Checkpoint{}) // a key may have slashes
	}
	for i := range 1000 {
		d.ok(fmt.Sprint("UNSAID", i), Checkpoint{})
	}
	for _, name := range []string{"login/t1/CODE", "rest/t2/other", "rest/t1/key/10099", "rest/t1/key/100"} {
		if !d.knows(name) {
			t.Errorf("%s is forgotten", name)
		}
	}
	if d.knows("rest/t1/key/99") { // to ask makes it known, and pushes out the next
		t.Error("the sender's oldest request is still known")
	}
	d.checked()
}

func TestTheManagersOwnCommandsPushOutNoKey(t *testing.T) {
	d := newDesk(t)
	d.ok("rest/t1/key", Checkpoint{})
	for i := range maxInternal + 10 {
		d.ok(fmt.Sprint("UNSAID", i), Checkpoint{})
	}
	if !d.knows("rest/t1/key") || !d.knows(fmt.Sprint("UNSAID", maxInternal)) || d.knows("UNSAID5") {
		t.Error("the wrong requests are forgotten")
	}
	if n := d.requests.Len(); n > maxInternal+2 {
		t.Errorf("%d requests are kept", n)
	}
}

func TestRequestsAreForgottenAfterADay(t *testing.T) {
	d := newDesk(t)
	for i := range 10 {
		d.ok(fmt.Sprint("rest/t1/", i), Checkpoint{})
	}
	d.Now += requestLife - 1
	d.ok("rest/t1/late", Checkpoint{})
	if !d.knows("rest/t1/0") {
		t.Error("one is forgotten within its day")
	}
	d.Now++
	for i := range 10 {
		d.ok(fmt.Sprint("rest/t1/next", i), Checkpoint{})
	}
	if d.knows("rest/t1/9") || !d.knows("rest/t1/late") {
		t.Error("an old one is kept, or a young one is not")
	}
	d.checked()
}

func TestAKeyOfAnotherOperationIsRefused(t *testing.T) {
	d := newDesk(t)
	d.ok("", PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	j1, j2 := d.ok("", Submit{Spec: specimen()}).Job, d.ok("", Submit{Spec: specimen()}).Job
	first := d.ok("rest/t1/k", Cancel{Job: j1})
	for _, other := range []Action{Cancel{Job: j2}, Hold{Job: j1}, Submit{Spec: specimen()}, SetPolicy{"FCFS", Minute}} {
		r := d.do("rest/t1/k", other)
		if codeOf(r) != CodeKeyReused || !strings.Contains(r.Rejection.Detail, "used to cancel j1,") {
			t.Errorf("%T: %+v", other, r)
		}
	}
	if d.Job(j2).Ending != nil {
		t.Error("it was done although it was refused")
	}
	again := d.do("rest/t1/k", Cancel{Job: j1})
	if again.Rejection != nil || !again.Repeated || again.Revision != first.Revision {
		t.Errorf("the same again: %+v", again)
	}
}

func TestRequestsOfAnEarlierFormatKeepTheirMeaning(t *testing.T) {
	d := newDesk(t)
	d.Format = keepsKeys - 1
	d.ok("rest/t1/k", SetPolicy{"FCFS", Minute})
	if r := d.do("rest/t1/k", SetPolicy{"EASY", Minute}); !r.Repeated {
		t.Errorf("below the format: %+v", r)
	}
	d.ok("", Raise{keepsKeys})
	d.checked()
	if r := d.do("rest/t1/k", SetPolicy{"EASY", Minute}); !r.Repeated {
		t.Errorf("after the raise: %+v", r)
	}
	d.Now += requestLife
	d.ok("rest/t1/new", SetPolicy{"FCFS", Minute})
	if d.knows("rest/t1/k") {
		t.Error("it has no age")
	}
}
