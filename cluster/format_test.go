package cluster

import (
	"errors"
	"strings"
	"testing"
)

func TestAFormatIsRaisedByTheLeaderAloneAndNeverLowered(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{"FCFS", Minute})
	do := func(epoch uint64, a Action) Result {
		return s.Apply(s.Revision+1, Command{Actor: root, Epoch: epoch, Action: a})
	}
	do(0, Claim{Replica: 1, Term: 1})
	for _, c := range []struct {
		epoch  uint64
		format uint32
		want   Code
		after  uint32
	}{
		{s.Epoch + 1, LatestFormat, CodeStaleEpoch, FirstFormat},
		{s.Epoch, FirstFormat, CodeConflict, FirstFormat},
		{s.Epoch, LatestFormat + 1, CodeConflict, FirstFormat},
		{s.Epoch, LatestFormat, "", LatestFormat},
		{s.Epoch, LatestFormat, CodeConflict, LatestFormat},
		{s.Epoch, FirstFormat, CodeConflict, LatestFormat},
	} {
		r := do(c.epoch, Raise{c.format})
		if code := codeOf(r); code != c.want || s.Format != c.after {
			t.Errorf("raise to %d: %q and format %d, want %q and %d", c.format, code, s.Format, c.want, c.after)
		}
		if done := r.Rejection == nil; done != (len(r.Events) == 1) {
			t.Errorf("raise to %d: events %v", c.format, r.Events)
		}
	}
}

func TestAJobThatFailsOnLossIsRefusedUntilAllReplicasKnowIt(t *testing.T) {
	s := built(t, 1, 0).s
	other := specimen()
	other.Need = 10
	spec := *other
	spec.FailOnLoss = true
	for _, a := range []Action{Submit{Spec: &spec}, Enact{Wish: Submit{Spec: &spec}}} {
		s.Format = failsOnLoss - 1
		if r := s.Unready(a); r == nil || r.Code != CodeConflict || !strings.Contains(r.Detail, "needs format 3") {
			t.Errorf("%T: %v", a, r)
		}
		s.Format = failsOnLoss
		if r := s.Unready(a); r != nil {
			t.Errorf("%T: %v", a, r)
		}
		if c, err := DecodeCommand(EncodeCommand(Command{Action: a})); err != nil || formatOf(c.Action) != failsOnLoss {
			t.Errorf("%T: format %d, error %v", a, formatOf(c.Action), err)
		}
	}
	s.Format = FirstFormat
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); codeOf(r) != CodeConflict {
		t.Errorf("applied below its format: %+v", r)
	}
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: other}}); r.Rejection != nil {
		t.Errorf("another job is refused: %v", r.Rejection)
	}
}

func TestAJobOfAnotherClassIsRefusedUntilAllReplicasKnowIt(t *testing.T) {
	s := built(t, 1, 0).s
	for _, class := range []Class{BackgroundClass, EitherClass} {
		spec := *specimen()
		spec.Need, spec.Class = 10, class
		s.Format = hasClasses - 1
		if r := s.Unready(Submit{Spec: &spec}); r == nil || r.Code != CodeConflict {
			t.Errorf("%v below its format: %v", class, r)
		}
		s.Format = hasClasses
		if r := s.Unready(Submit{Spec: &spec}); r != nil {
			t.Errorf("%v: %v", class, r)
		}
	}
}

func TestAReservationIsRefusedUntilAllReplicasKnowPromises(t *testing.T) {
	s := built(t, 1, 0).s
	spec := *specimen()
	spec.Need, spec.Reserve = 10, &Reservation{s.Now + Hour, Hour}
	s.Format = promises - 1
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); codeOf(r) != CodeConflict {
		t.Errorf("below its format: %v", r.Rejection)
	}
	s.Format = promises
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); r.Rejection != nil {
		t.Errorf("refused: %v", r.Rejection)
	}
}

func TestADeadlineInPartsIsRefusedUntilAllReplicasKnowParts(t *testing.T) {
	s := built(t, 1, 0).s
	spec := *specimen()
	spec.Need, spec.Deadline = 10, &Deadline{By: s.Now + 2*Hour, Lasts: Hour, Pausable: true}
	s.Format = parts - 1
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); codeOf(r) != CodeConflict {
		t.Errorf("below its format: %v", r.Rejection)
	}
	s.Format = parts
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); r.Rejection != nil {
		t.Errorf("refused: %v", r.Rejection)
	}
}

func codeOf(r Result) Code {
	if r.Rejection == nil {
		return ""
	}
	return r.Rejection.Code
}

func TestAReplicaHaltsRatherThanFollowAFormatThatItDoesNotKnow(t *testing.T) {
	_, err := DecodeCommand(EncodeCommand(Command{Action: Raise{LatestFormat + 1}}))
	if !errors.Is(err, ErrNewer) {
		t.Errorf("error %v, want %v", err, ErrNewer)
	}
}

func TestANewStateHasTheFormatThatOldLogsBeginWith(t *testing.T) {
	if s := New([16]byte{1}, PolicyChoice{}); s.Format != 2 {
		t.Errorf("format %d: a log that was written at format 2 would have another outcome", s.Format)
	}
}

func TestDependenciesAreRefusedUntilAllReplicasKnowThem(t *testing.T) {
	s := built(t, 1, 0).s
	first := *specimen()
	first.Need = 10
	s.Format = hasSteps
	workflow := SubmitWorkflow{Steps: []Step{{Spec: &first}}}
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: workflow}); r.Rejection != nil {
		t.Fatalf("refused: %v", r.Rejection)
	}
	waits := first
	waits.After = []Dependency{{Job: s.NextJob - 1}}
	for _, a := range []Action{Submit{Spec: &waits}, workflow} {
		s.Format = hasSteps - 1
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); codeOf(r) != CodeConflict {
			t.Errorf("%T below its format: %v", a, r.Rejection)
		}
		s.Format = hasSteps
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); r.Rejection != nil {
			t.Errorf("%T: %v", a, r.Rejection)
		}
	}
}

func TestADeadlineIsRefusedUntilAllReplicasKnowIt(t *testing.T) {
	s := built(t, 1, 0).s
	spec := *specimen()
	spec.Need, spec.Deadline = 10, &Deadline{By: s.Now + Hour, Lasts: Minute}
	s.Format = punctual - 1
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); codeOf(r) != CodeConflict {
		t.Errorf("below its format: %v", r.Rejection)
	}
	s.Format = punctual
	if r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: &spec}}); r.Rejection != nil {
		t.Errorf("refused: %v", r.Rejection)
	}
}

func TestMaintenanceIsRefusedUntilAllReplicasKnowIt(t *testing.T) {
	s := built(t, 1, 0).s
	for _, a := range []Action{Maintain{Node: 1, Until: s.Now + Hour}, Reopen{Node: 1}} {
		s.Format = maintains - 1
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); codeOf(r) != CodeConflict {
			t.Errorf("%T below its format: %v", a, r.Rejection)
		}
		s.Format = maintains
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); r.Rejection != nil {
			t.Errorf("%T: %v", a, r.Rejection)
		}
	}
}

func TestOffersAreRefusedUntilAllReplicasKnowThem(t *testing.T) {
	s := built(t, 1, 0).s
	spec := *specimen()
	spec.Need, spec.Reserve = 10, &Reservation{s.Now + Hour, Hour}
	for _, a := range []Action{Submit{&spec, Minute}, AcceptOffer{1}, DeclineOffer{1}, Reschedule{1, Minute}} {
		s.Format = offers - 1
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); codeOf(r) != CodeConflict || r.Rejection.Field != "" {
			t.Errorf("%T below its format: %v", a, r.Rejection)
		}
		s.Format = offers
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); codeOf(r) == CodeConflict {
			t.Errorf("%T: %v", a, r.Rejection)
		}
	}
}

func TestStandingReservationsAreRefusedUntilAllReplicasKnowThem(t *testing.T) {
	s := built(t, 1, 0).s
	spec := *specimen()
	spec.Need = 10
	stand := Stand{&spec, Week{Days: allDays, Offsets: []Offset{{}}, Until: s.Now + 30*fullDay}, Hour}
	for _, a := range []Action{stand, CancelStanding{1}} {
		s.Format = stands - 1
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); codeOf(r) != CodeConflict || r.Rejection.Field != "" {
			t.Errorf("%T below its format: %v", a, r.Rejection)
		}
		s.Format = stands
		if r := s.Apply(s.Revision+1, Command{Actor: root, Action: a}); r.Rejection != nil {
			t.Errorf("%T: %v", a, r.Rejection)
		}
	}
}
