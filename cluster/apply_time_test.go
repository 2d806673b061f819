package cluster

import "testing"

func TestOneCommandMovesTheClockByMaxStepAtMost(t *testing.T) {
	for _, c := range []struct {
		format   uint32
		at, want Time
	}{
		{FirstFormat, 25 * Hour, 25 * Hour}, // as programs before it do
		{setsTime, Hour + MaxStep, Hour + MaxStep},
		{setsTime, 25 * Hour, Hour + MaxStep},
		{setsTime, Minute, Hour},
	} {
		s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
		s.Format = c.format
		s.Apply(1, Command{At: Hour, Action: Checkpoint{}})
		s.Apply(2, Command{At: c.at, Action: Checkpoint{}})
		if s.Now != c.want {
			t.Errorf("format %d: a command at %v s moves the clock to %v s, want %v s", c.format, c.at.Seconds(),
				s.Now.Seconds(), c.want.Seconds())
		}
	}
}

func TestTheFirstCommandBringsTheTime(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	if s.Apply(1, Command{At: 1000 * Hour, Action: Checkpoint{}}); s.Now != 1000*Hour {
		t.Errorf("it is %v s", s.Now.Seconds())
	}
}

func TestAStampOfAClockThatWasSetSinceMovesNoTime(t *testing.T) {
	b := built(t, 1, 10)
	early := b.s.Now + Minute
	b.apply(SetTime{10 * Hour})
	late := Command{At: 10*Hour + Minute, Action: Checkpoint{}, Epoch: b.s.Epoch}
	b.s.Apply(b.s.Revision+1, late)
	if b.s.Now != 10*Hour {
		t.Errorf("a stamp of the clock before moved the time to %v s", b.s.Now.Seconds())
	}
	late.TimeSet = b.s.TimeSet
	if b.s.Apply(b.s.Revision+1, late); b.s.Now != late.At {
		t.Errorf("a stamp of the clock in force moved the time to %v s", b.s.Now.Seconds())
	}
	if b.apply(SetTime{early}); b.s.Now != early {
		t.Errorf("set back, it is %v s", b.s.Now.Seconds())
	}
}

func TestALeaderThatDoesNotKnowTheLastSettingDoesNotSetTheTime(t *testing.T) {
	b := built(t, 1, 10)
	b.apply(SetTime{10 * Hour})
	leader := Command{At: Hour, Actor: Actor{Role: System}, Epoch: b.s.Epoch, Action: SetTime{60 * Hour}}
	if r := b.s.Apply(b.s.Revision+1, leader); codeOf(r) != CodeConflict || b.s.Now != 10*Hour {
		t.Errorf("%+v, and it is %v s", r.Rejection, b.s.Now.Seconds())
	}
	leader.TimeSet = b.s.TimeSet
	if r := b.s.Apply(b.s.Revision+1, leader); r.Rejection != nil || b.s.Now != 60*Hour {
		t.Errorf("%+v, and it is %v s", r.Rejection, b.s.Now.Seconds())
	}
}

func TestSettingTheTimeKeepsWhatIsAheadAsFarAwayAndPutsNothingIntoTheFuture(t *testing.T) {
	for name, by := range map[string]Time{"back": -2 * Hour, "forward": 60 * Hour} {
		t.Run(name, func(t *testing.T) {
			b := built(t, 2, 20)
			for b.s.Now < 3*Hour {
				b.s.Apply(b.s.Revision+1, Command{At: b.s.Now + Hour, Epoch: b.s.Epoch, Action: Checkpoint{}})
			}
			b.apply(Join{"late", "boot", Description{CPU: 1000, Memory: MiB}, 0})
			b.apply(Submit{Spec: specimen()})
			b.apply(Cancel{Job: 19})
			decision := b.placing(0, 1, 11)
			decision.Tick = b.s.Agenda.Next(AlarmTick)
			b.apply(decision)
			failed := b.s.Move(TaskID{Job: 9})
			b.apply(Report{Node: failed.To,
				Observations: []Observation{{Run: RunID{9, 0, failed.Run}, Move: failed.ID, Seen: SeenFailed}}})
			before := b.s.Clone()
			b.apply(SetTime{before.Now + by})
			s := b.s
			if passed := before.Now + Millisecond; s.Now != before.Now+by ||
				s.Agenda.Next(AlarmTick)-s.Now != before.Agenda.Next(AlarmTick)-passed {
				t.Errorf("it is %v s and the next tick is at %v s", s.Now.Seconds(), s.Agenda.Next(AlarmTick).Seconds())
			}
			for j := range s.Jobs() {
				if ran, want := j.RunningTime(s.Now), before.Job(j.ID).RunningTime(before.Now+Millisecond); ran != want {
					t.Errorf("%v ran %v s, want %v s", j.ID, ran.Seconds(), want.Seconds())
				}
				if j.Submitted > s.Now || j.Started > s.Now {
					t.Errorf("%v was submitted at %v s and started at %v s, and it is %v s", j.ID, j.Submitted.Seconds(),
						j.Started.Seconds(), s.Now.Seconds())
				}
			}
			if wait, want := s.Job(9).Tasks[0].RetryAt-s.Now,
				before.Job(9).Tasks[0].RetryAt-before.Now-Millisecond; wait != want || want <= 0 {
				t.Errorf("the task whose move failed waits %v s, want %v s", wait.Seconds(), want.Seconds())
			}
			if n := s.NodeNamed("late"); n.Since > s.Now {
				t.Errorf("a node joined at %v s, and it is %v s", n.Since.Seconds(), s.Now.Seconds())
			}
			if past := s.Ended(19); past.Ended > s.Now {
				t.Errorf("a job ended at %v s, and it is %v s", past.Ended.Seconds(), s.Now.Seconds())
			}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			if again := reread(t, s); again.Hash() != s.Hash() {
				t.Error("another hash after a snapshot")
			}
		})
	}
}

func TestOnlyAnAdministratorSetsTheTimeAndOnlyWhereAllManagersCan(t *testing.T) {
	operator := Actor{Name: "o", Owner: "o", Project: "default", Role: Operator}
	for _, c := range []struct {
		name   string
		format uint32
		actor  Actor
		to     Time
		want   Code
	}{
		{"an operator", LatestFormat, operator, Hour, CodeForbidden},
		{"before 1970", LatestFormat, root, 0, CodeInvalid},
		{"a manager may be old", FirstFormat, root, Hour, CodeConflict},
		{"an administrator", LatestFormat, root, Hour, ""},
		{"the first moment", LatestFormat, root, 1, ""},
	} {
		s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
		s.Format = c.format
		s.Apply(1, Command{At: Minute, Action: Checkpoint{}})
		r := s.Apply(2, Command{At: Minute, Actor: c.actor, Action: SetTime{c.to}})
		if code := codeOf(r); code != c.want || (s.Now == c.to) != (c.want == "") {
			t.Errorf("%s: %q, and it is %v s", c.name, code, s.Now.Seconds())
		}
	}
}
