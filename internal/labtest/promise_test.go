package labtest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

// How long after the start of its interval a promised job may run at the latest, and how long before: its VMs are given
// half a minute to start, and the time in which others may have to be saved.
const (
	late  = 5 * time.Second
	early = 40 * time.Second
)

// lasting returns a duration that the environment may set.
func lasting(t *testing.T, variable, otherwise string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(cmp.Or(os.Getenv(variable), otherwise))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return d
}

// reserving returns a job of two tasks that reserve 300m each for an interval.
func reserving(start time.Time, lasts string) api.JobSpec {
	spec := on(several(2, counting(endless, "300m")), "n1")
	spec.Reserve = &api.Reserve{Start: start.UTC().Format(time.RFC3339Nano), Duration: lasts}
	return spec
}

// refused submits a job and returns why it is refused.
func (s *scene) refused(spec api.JobSpec) api.Problem {
	s.t.Helper()
	var p *client.Problem
	if _, err := s.api.Submit(s.ctx, spec, ""); !errors.As(err, &p) {
		s.t.Fatalf("%+v is not refused: %v", spec.Reserve, err)
	}
	return p.Problem
}

// grants returns an error unless each task of the job runs with so many millicores.
func (s *scene) grants(id string, millicores int64) error {
	for _, task := range s.job(id).Tasks {
		if task.State != "running" || task.ShareMillicores != millicores || task.CapObservedMillicores != millicores {
			return fmt.Errorf("task %d is %s with %dm of %dm", task.Index, task.State, task.CapObservedMillicores,
				task.ShareMillicores)
		}
	}
	return nil
}

// inForceAt returns once both tasks of the promised job run with all of their CPU, which must be in time.
func (s *scene) inForceAt(id string, start time.Time) {
	s.t.Helper()
	s.eventually("the promised job runs", time.Until(start)+ended, func() error { return s.grants(id, 300) })
	started := s.events(id, "task_started")
	if len(started) != 2 {
		s.t.Errorf("%d tasks of %s started, want 2", len(started), id)
	}
	for _, e := range started {
		s.t.Logf("%s starts %v after the interval begins", id, e.At.Sub(start))
		if after := e.At.Sub(start); after > late || after < -early {
			s.t.Errorf("task %d of %s started %v after the interval had begun", *e.Task, id, after)
		}
	}
}

// wholeUntil returns at the time, which must not have come yet. Until then each task of the job has all of its CPU.
func (s *scene) wholeUntil(id string, millicores int64, due time.Time) {
	s.t.Helper()
	if !time.Now().Before(due) {
		s.t.Errorf("room is to be made since %v: nothing was seen before", time.Since(due))
	}
	for time.Now().Before(due) {
		if err := s.grants(id, millicores); err != nil {
			s.t.Fatalf("%v before room is to be made: %v", time.Until(due), err)
		}
		time.Sleep(tick)
	}
}

func TestAReservationOfAFullNodeIsKeptAndSoIsTheAlternativeToASecondOne(t *testing.T) {
	ahead := lasting(t, "ALIQUOT_AHEAD", "70s")
	s := beginFor(t, ahead)
	busy := s.submitOne(on(several(3, counting(endless, "400m")), "n1"))
	s.await(busy, "running", 2*ended)
	s.settled([]string{busy})

	start := time.Now().Add(ahead).Truncate(time.Second)
	first := s.submitOne(reserving(start, "20s"))
	promise := s.job(first).Promise
	if promise == nil || promise.State != "promised" || !promise.From.Equal(start) {
		t.Fatalf("its promise is %s", show(promise))
	}
	no := s.refused(reserving(start, "20s"))
	if no.Code != "cannot_be_promised" || len(no.Alternatives) == 0 || no.Alternatives[0].Tasks != 2 {
		t.Fatalf("the second is refused so: %s", show(no))
	}
	t.Log(no.Detail)
	later := no.Alternatives[0]
	second := s.submitOne(reserving(later.Start, later.Duration))

	s.ok(s.endManager(syscall.SIGKILL))
	s.ok(s.startManager())
	s.ok(s.awaitNodes())
	s.wholeUntil(busy, 400, promise.Due.Add(-time.Second))
	s.inForceAt(first, start)
	s.eventually("others have what is left", ended, func() error { return s.grants(busy, 200) })
	s.inForceAt(second, later.Start)

	for _, id := range []string{first, second} {
		s.need(s.api.Cancel(s.ctx, id, "its interval is over"))
	}
	s.eventually("others have all of it again", ended, func() error { return s.grants(busy, 400) })
	for task := range 3 {
		s.counted(busy, task)
	}
}

// Sharing alone would give it a quarter of its CPU.
func TestADeadlineIsKeptWhileOthersComeAndGo(t *testing.T) {
	s := beginAlone(t)
	by := time.Now().Add(100 * time.Second)
	spec := on(counting(endless, "400m"), "n1")
	spec.Deadline = &api.Deadline{By: by.UTC().Format(time.RFC3339Nano), Duration: "25s"}
	punctual := s.submitOne(spec)

	s.pass(10)
	s.ok(s.endManager(syscall.SIGKILL))
	s.ok(s.startManager())
	s.ok(s.awaitNodes())
	s.pass(10)

	s.eventually("it has had its work", time.Until(by)+ended, func() error {
		if n := len(s.events(punctual, "job_overran", "job_promise_broken")); n != 1 {
			return fmt.Errorf("%s was told %d times", show(s.job(punctual).Promise), n)
		}
		return nil
	})
	kept := s.events(punctual, "job_overran", "job_promise_broken")[0]
	t.Logf("%s: %v before the deadline", line(kept), by.Sub(kept.At))
	if kept.Kind != "job_overran" || kept.At.After(by) {
		t.Errorf("the deadline was %v: %s", by, line(kept))
	}
	s.counted(punctual, 0)
}

// pass lets jobs come and go, five at a time.
func (s *scene) pass(count int) {
	s.t.Helper()
	var came []string
	for gone := 0; gone < count; {
		for len(came) < min(count, gone+5) {
			came = append(came, s.submitOne(on(counting(2, "800m"), "n1")))
		}
		s.eventually("another job ends", 2*ended, func() error {
			now := 0
			for _, id := range came {
				if j := s.job(id); j.Ended != nil && j.State == "succeeded" {
					now++
				}
			}
			if now == gone {
				return fmt.Errorf("%d of %d have ended", now, len(came))
			}
			gone = now
			return nil
		})
	}
}
