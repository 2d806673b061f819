package cluster

import (
	"strings"
	"testing"
)

func TestADeedNamesWhatWasDoneToWhat(t *testing.T) {
	run := RunID{Job: 7, Index: 1, Number: 2}
	for _, c := range []struct {
		action Action
		want   string
	}{
		{Submit{}, "submit a job"},
		{Cancel{Job: 7}, "cancel j7"},
		{Hold{Job: 7}, "hold j7"},
		{Release{Job: 7}, "release j7"},
		{SetNode{3, Uncordon}, "uncordon node 3"},
		{SetNode{3, Cordon}, "cordon node 3"},
		{SetNode{3, Drain}, "drain node 3"},
		{SetNode{3, ConfirmDown}, "confirm that node 3 is down"},
		{SettleStray{Node: 3, Run: run}, "settle the stray j7/1/2 on node 3"},
		{SetPolicy{Name: "EASY"}, "set the policy EASY"},
		{SetQuota{Quota{Project: "physics"}}, "set the quota of project physics"},
		{SetQuota{Quota{Owner: "ann"}}, "set the quota of owner ann"},
		{SetTime{}, "set the time"},
		{RemoveImage{}, "remove an image"},
		{PutToken{Token: Token{ID: "t9", Revoked: true}}, "revoke the token t9"},
		{PutToken{Token: Token{ID: "t9", Name: "ci"}}, "create the token ci"},
		{Enact{Basis: 5}, "apply the plan of revision 5"},
		{Checkpoint{}, "do something else"},
		{SetNode{3, 200}, "do something else"},
	} {
		if got := deedOf(c.action).String(); got != c.want {
			t.Errorf("%#v: %q, want %q", c.action, got, c.want)
		}
	}
}

func TestMovesOfAnEndByDifferentTimesAreDifferentDeeds(t *testing.T) {
	if deedOf(Reschedule{7, Minute}) == deedOf(Reschedule{7, -Minute}) {
		t.Error("one key stands for both")
	}
}

// Two programs that word a deed differently must agree on the state, and on which request is another one.
func TestWordsForDeedsAreNoPartOfTheState(t *testing.T) {
	life := func() (hash [32]byte, answer string) {
		d := newDesk(t)
		d.ok("rest/t1/k", SetPolicy{"FCFS", Minute})
		if r := d.do("rest/t1/k", SetPolicy{"FCFS", Minute}); r.Rejection != nil || !r.Repeated {
			t.Errorf("the same again: %+v", r)
		}
		return d.Hash(), d.do("rest/t1/k", SetPolicy{"EASY", Minute}).Rejection.Detail
	}
	hash, answer := life()
	before := deedWords
	t.Cleanup(func() { deedWords = before })
	for kind := range deedWords {
		deedWords[kind] = "do what is now called otherwise"
	}
	again, other := life()
	if hash != again {
		t.Error("another hash")
	}
	if !strings.Contains(answer, "set the policy FCFS") || !strings.Contains(other, "called otherwise") {
		t.Errorf("the answers are %q and %q", answer, other)
	}
}
