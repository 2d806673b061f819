package labtest

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"aliquot/web/api"
)

// on restricts a job to nodes.
func on(spec api.JobSpec, nodes ...string) api.JobSpec {
	spec.Placement = &api.Placement{Nodes: nodes}
	return spec
}

func TestKilledManagerMonitorLibvirtdAndFenceDisturbNoTask(t *testing.T) {
	s := beginWatched(t)
	const lines = 150 // all may be written before the daemons are back; then the test is that the job's end is not lost
	finite := s.submitOne(on(counting(lines*stride, "200m"), "n1"))
	steady := s.submitOne(on(counting(endless, "300m"), "n1"))
	for _, id := range []string{finite, steady} {
		s.awaitCount(id, 0, 1, 2*ended)
	}

	s.ok(s.endManager(syscall.SIGKILL))
	s.writesOn(steady, 1)
	s.ok(s.startManager())
	s.ok(s.awaitNodes())
	s.undisturbed(steady)

	s.ok(s.kill("n1", "monitor"))
	s.awaitNode("n1", "unreachable", ended)
	s.writesOn(steady, 1)
	s.ok(s.spawn("n1", "monitor"))
	s.obeys("n1")
	s.undisturbed(steady)

	s.ok(s.lab.lab("kill-libvirtd", "n1"))
	s.writesOn(steady, 1)
	s.ok(s.lab.lab("start-libvirtd", "n1"))
	s.obeys("n1")
	s.settled([]string{steady})
	s.undisturbed(steady)

	s.ok(s.kill("n1", "fence"))
	s.awaitFence("n1", false)
	s.undisturbed(steady)
	s.ok(s.spawn("n1", "fence"))
	s.awaitFence("n1", true)

	j := s.await(finite, "succeeded", 3*ended)
	if got := s.counted(finite, 0); got != lines || j.Tasks[0].Run != 1 || *j.Tasks[0].Exit.Code != 0 {
		t.Errorf("it has written %d lines, want %d: %s", got, lines, show(j))
	}
	s.undisturbed(steady)
}

// obeys returns after a job has run on the node from beginning to end.
func (s *scene) obeys(node string) {
	s.t.Helper()
	id := s.submitOne(on(shell("echo here", "700m"), node))
	if s.await(id, "succeeded", 2*ended); s.output(id, 0) != "here\n" {
		s.t.Errorf("%s on %s has written %q", id, node, s.output(id, 0))
	}
}

func (s *scene) awaitFence(node string, alive bool) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("the fence of %s is known to be alive: %v", node, alive), ended, func() error {
		if n := s.node(node); n.FenceAlive != alive {
			return fmt.Errorf("it is said to be %v", n.FenceAlive)
		}
		return nil
	})
}

func TestKilledQEMUIsALossThatIsShownAndNotCounted(t *testing.T) {
	s := beginWatched(t)
	const lines = 60
	id := s.submitOne(on(counting(lines*stride, "500m"), "n1"))
	s.awaitCount(id, 0, 2, 2*ended)
	s.ok(syscall.Kill(s.guest(id, 0).pid, syscall.SIGKILL))
	s.awaitRun(id, 2, 2*ended)
	s.awaitCount(id, 0, 2, 2*ended)

	victim := s.guest(id, 0)
	s.ok(s.lab.lab("kill-libvirtd", "n1"))
	s.ok(syscall.Kill(victim.pid, syscall.SIGKILL))
	s.ok(s.lab.lab("start-libvirtd", "n1"))
	s.awaitRun(id, 3, 2*ended)

	j := s.await(id, "succeeded", 3*ended)
	if task := j.Tasks[0]; task.Run != 3 || task.Losses != 2 || task.Failures != 0 || s.counted(id, 0) != lines {
		t.Errorf("want run 3 to succeed after two losses: %s", show(j))
	}
	causes := s.causes(id, "task_lost")
	if len(causes) != 2 || !strings.Contains(causes[0], "process died") || causes[1] == "" {
		t.Errorf("it was lost by %q, want to read of the process first", causes)
	}
	for run := 1; run <= 2; run++ {
		if got := len(s.written(id, 0, run)); got < 2 || got >= lines {
			t.Errorf("run %d has written %d lines", run, got)
		}
	}
}

func TestVMThatLibvirtHasForgottenIsKilledBeforeItsTaskStartsAgain(t *testing.T) {
	s := beginWatched(t)
	id := s.counter("300m", "n1")
	forgotten := s.guest(id, 0)
	s.ok(s.lab.lab("kill-libvirtd", "n1"))
	_, err := s.exec("n1", "rm", "/run/libvirt/qemu/"+forgotten.name+".xml")
	s.ok(err)
	s.ok(s.lab.lab("start-libvirtd", "n1"))
	s.awaitRun(id, 2, 2*ended)
	s.eventually("only the new VM is left", ended, func() error {
		if found := s.guestsOf(id, 0); len(found) != 1 || found[0].pid == forgotten.pid {
			return fmt.Errorf("%v", found)
		}
		return nil
	})
	if task := s.job(id).Tasks[0]; task.Losses != 1 {
		t.Errorf("want one loss: %+v", task)
	}
}

// awaitRun returns when the given run of the job's first task is running.
func (s *scene) awaitRun(id string, run int, within time.Duration) api.Task {
	s.t.Helper()
	j := s.awaitThat(id, fmt.Sprintf("running in run %d", run), within, func(j api.Job) bool {
		return j.Tasks[0].Run == run && j.Tasks[0].State == "running"
	})
	return j.Tasks[0]
}

func TestOutageLongerThanTheLeaseFreezesVMsUntilALeaderIsBack(t *testing.T) {
	s := beginWatched(t)
	id := s.counter("300m", "n1")
	vm := s.guest(id, 0)
	s.ok(s.endManager(syscall.SIGKILL))
	s.eventually("the VM is frozen", ended, func() error { return s.frozen(vm) })
	before := s.written(id, 0, 1)
	s.ok(s.startManager())
	s.ok(s.awaitNodes())
	s.writesOn(id, 1)
	if after := s.written(id, 0, 1); !slices.Equal(after[:len(before)], before) {
		t.Errorf("it had written %q and then %q", before, after)
	}
	s.awaitCount(id, 0, len(before)+1, ended)
	j := s.awaitRun(id, 1, ended)
	if now := s.guest(id, 0); now.pid != vm.pid || j.Losses != 0 {
		t.Errorf("process %d became %d, task %+v", vm.pid, now.pid, j)
	}
}
