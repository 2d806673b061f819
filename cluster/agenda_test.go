package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	pb "aliquot/cluster/clusterpb"
)

func TestAnAgendaIsOrderedBoundedAndHasOnlyWhatDecisionsMayAskFor(t *testing.T) {
	promise, tick := Alarm{3, AlarmPromise, 7}, Alarm{5, AlarmTick, 0}
	got := NewAgenda([]Alarm{tick, {4, AlarmRetry, 1}, promise, {0, AlarmTick, 0}, promise, {1, 0, 0}})
	if diff := cmp.Diff(Agenda{promise, tick}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var many []Alarm
	for n := range 2 * maxAlarms {
		many = append(many, Alarm{Time(2*maxAlarms - n), AlarmSlot, JobID(n)})
	}
	if a := NewAgenda(many); len(a) != maxAlarms || a[0].At != 1 || a[maxAlarms-1].At != maxAlarms {
		t.Errorf("%d alarms, from %v to %v", len(a), a[0], a[len(a)-1])
	}
	if diff := cmp.Diff(Agenda{promise, {9, AlarmTick, 0}}, got.With(Alarm{9, AlarmTick, 0})); diff != "" {
		t.Errorf("another tick (-want +got):\n%s", diff)
	}
}

// alarmed is a state in which these alarms were asked for.
func alarmed(t *testing.T, format uint32, wanted ...Alarm) *State {
	s := New([16]byte{1}, PolicyChoice{})
	s.Format = format
	actor := Actor{Role: System}
	s.Apply(1, Command{At: 1, Actor: actor, Action: Claim{Replica: 1, Term: 1}})
	if r := s.Apply(2, Command{At: 1, Actor: actor, Epoch: s.Epoch,
		Action: Adopt{Basis: 1, Alarms: wanted}}); r.Rejection != nil {
		t.Fatal(r.Rejection)
	}
	return s
}

func TestAnOccasionNamesTheAlarmsThatAreDue(t *testing.T) {
	tick, promise, later := Alarm{10, AlarmTick, 0}, Alarm{10, AlarmPromise, 3}, Alarm{20, AlarmSlot, 4}
	s := alarmed(t, LatestFormat, later, promise, tick)
	for _, c := range []struct {
		at, wake Time
		due      []Alarm
	}{{9, 10, nil}, {10, 20, []Alarm{tick, promise}}, {20, 0, []Alarm{tick, promise, later}}} {
		v := s.View(c.at)
		if diff := cmp.Diff(c.due, append([]Alarm(nil), v.Pending().Due...)); diff != "" || v.WakeAt() != c.wake {
			t.Errorf("at %d, wakes at %d (-want +got):\n%s", c.at, v.WakeAt(), diff)
		}
	}
	o := s.View(10).Pending()
	if diff := cmp.Diff([]Alarm{tick}, o.For(AlarmTick).Due); diff != "" || len(o.Due) != 2 {
		t.Errorf("of the tick's family (-want +got):\n%s", diff)
	}
	if !o.Rings(AlarmPromise) || o.Rings(AlarmSlot) {
		t.Errorf("%+v", o)
	}
}

func TestBelowFormat3AnAgendaIsTheTick(t *testing.T) {
	tick := Alarm{10, AlarmTick, 0}
	s := alarmed(t, keepsAlarms-1, Alarm{5, AlarmPromise, 3}, tick)
	if diff := cmp.Diff(Agenda{tick}, s.Agenda); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Agenda{tick}, s.View(1).Agenda([]Alarm{{5, AlarmPromise, 3}, tick})); diff != "" {
		t.Errorf("what a leader proposes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(s.Agenda, reread(t, s).Agenda); diff != "" {
		t.Errorf("after a snapshot (-want +got):\n%s", diff)
	}
}

// A replica that meets a field that it does not know halts.
func TestATickIsWrittenAsEarlierProgramsReadIt(t *testing.T) {
	a := Adopt{Seen: Occasion{Due: ticksAt(10)}, Tick: 10, Alarms: ticksAt(20)}
	m := new(pb.Command)
	if err := proto.Unmarshal(EncodeCommand(Command{Action: a}), m); err != nil {
		t.Fatal(err)
	}
	got := m.GetAdopt()
	if !got.Seen.Due || got.Seen.Next != 10 || got.Wake != 20 || len(got.Alarms)+len(got.Seen.Alarms) > 0 {
		t.Errorf("%v", got)
	}
}

func TestARetryIsAnAlarmOfTheJobThatAsksAgain(t *testing.T) {
	for _, format := range []uint32{keepsAlarms - 1, LatestFormat} {
		s := alarmed(t, format)
		j := &Job{ID: 1, Spec: &Spec{Tasks: 2, Need: 1}, Tasks: []Task{{RetryAt: 30}, {RetryAt: 40}}}
		s.jobs.put(j)
		s.Occasion.Submitted = []JobID{1}
		s.reindex()
		if v := s.View(29); !v.Pending().Empty() || v.WakeAt() != 30 {
			t.Errorf("before: %+v, wakes at %d", v.Pending(), v.WakeAt())
		}
		want := Occasion{Submitted: []JobID{1}}
		if format >= keepsAlarms {
			want.Due = []Alarm{{30, AlarmRetry, 1}, {40, AlarmRetry, 1}}
		}
		if diff := cmp.Diff(want, s.View(40).Pending()); diff != "" {
			t.Errorf("format %d (-want +got):\n%s", format, diff)
		}
	}
}
