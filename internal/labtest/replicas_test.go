package labtest

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

func TestThreeManagersTakeOverFromOneAnotherAndFromABackup(t *testing.T) {
	s := beginWatched(t)
	known := s.counter("300m", "n1")
	vm := s.guest(known, 0)
	s.need(s.api.SetNode(s.ctx, "n1", "cordon"))
	waiting := s.submitOne(on(counting(endless, "200m"), "n1"))

	// The backup lacks two facts: one job runs by now, and another job exists.
	backup := s.backup("manager")
	s.need(s.api.SetNode(s.ctx, "n1", "uncordon"))
	younger := s.submitOne(on(counting(endless, "200m"), "n1"))
	for _, id := range []string{waiting, younger} {
		s.awaitCount(id, 0, 1, 2*ended)
	}
	stray := s.guest(younger, 0)
	s.ok(s.endManager(syscall.SIGTERM))
	three := s.becomeThree(backup)

	s.goesOn(known, vm)
	if imports := s.events("", "backup_imported"); len(imports) != 1 {
		t.Errorf("three managers with the same backup: %v", imports)
	}
	s.wantStray(younger, stray)
	s.awaitRun(waiting, 1, ended)
	s.awaitCount(waiting, 0, s.counted(waiting, 0)+2, ended)
	three.agree()

	// The leader dies.
	s.need(s.api.SetNode(s.ctx, "n1", "uncordon"))
	leader := three.leader()
	others := slices.DeleteFunc([]int{1, 2, 3}, func(i int) bool { return i == leader })
	caps := s.caps(known)
	s.ok(three.managers[leader].end(syscall.SIGKILL))
	killed := time.Now()
	s.api = three.client(others[1], others[0])
	next := s.submitOne(on(shell("echo carried on", "500m"), "n1"))
	s.await(next, "succeeded", 2*ended)
	if got := s.output(next, 0); got != "carried on\n" {
		t.Errorf("%s has written %q", next, got)
	}
	s.ok(s.awaitNodes())
	claims := s.events("", "leader_claimed")
	claimed := claims[len(claims)-1]
	t.Logf("%s, %v after the kill", line(claimed), claimed.At.Sub(killed))
	if took := claimed.At.Sub(killed); took < 0 || took > lease {
		t.Errorf("the last claim came %v after the leader was killed, want one within %v", took, lease)
	}
	if now := s.caps(known); now != caps {
		t.Errorf("its VM had %s and has %s", caps, now)
	}
	s.goesOn(known, vm)

	// It returns and catches up with the others.
	three.start(leader)
	s.api = three.client(leader, others[0], others[1])
	s.eventually("the manager that was killed serves", ended, func() error {
		if h, err := three.health(leader); err != nil || h.Status != "ok" {
			return fmt.Errorf("%+v, %v", h, err)
		}
		return nil
	})
	three.agree()

	// The three become one.
	three.becomeOne()
	s.goesOn(known, vm)
	s.obeys("n1")
	if j := s.job(waiting); j.Tasks[0].Run != 1 || j.Tasks[0].Losses != 0 {
		t.Errorf("a job that ran all the time: %s", show(j))
	}
}

// goesOn asserts that the job keeps counting in the same VM.
func (s *scene) goesOn(id string, vm guest) {
	s.t.Helper()
	s.awaitRun(id, 1, 2*ended)
	s.awaitCount(id, 0, s.counted(id, 0)+2, ended)
	if now := s.guest(id, 0); now.pid != vm.pid {
		s.t.Errorf("%s was in process %d and is in %d", id, vm.pid, now.pid)
	}
	if lost := s.events(id, "task_lost"); len(lost) > 0 {
		s.t.Errorf("%s: %v", id, lost)
	}
}

// caps returns the requested caps and those in force.
func (s *scene) caps(id string) string {
	s.t.Helper()
	task := s.job(id).Tasks[0]
	return fmt.Sprintf("%dm of %dm", task.CapObservedMillicores, task.CapAskedMillicores)
}

// wantStray asserts that the VM of an unknown job is frozen, is listed, cannot be adopted, and is destroyed on
// request.
func (s *scene) wantStray(id string, vm guest) {
	s.t.Helper()
	run := id + "/0/1"
	s.eventually(run+" is listed as a stray", ended, func() error {
		strays, err := s.api.Strays(s.ctx)
		if err == nil && !slices.Contains(strays, api.Stray{Node: vm.node, Run: run}) {
			err = fmt.Errorf("strays: %v", strays)
		}
		return err
	})
	s.eventually(run+" is frozen", ended, func() error { return s.frozen(vm) })
	if _, err := s.api.Job(s.ctx, id); client.Code(err) != "not_found" {
		s.t.Errorf("%s is known: %v", id, err)
	}
	if _, err := s.api.SettleStray(s.ctx, vm.node, run, "adopt"); client.Code(err) != "conflict" {
		s.t.Errorf("a run of no job was adopted: %v", err)
	}
	s.need(s.api.SettleStray(s.ctx, vm.node, run, "destroy"))
	s.eventually(run+" is destroyed", ended, func() error {
		if len(s.guestsOf(id, 0)) > 0 {
			return errors.New("it is there")
		}
		return nil
	})
}
