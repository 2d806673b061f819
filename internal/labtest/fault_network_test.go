package labtest

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"aliquot/monitor"
)

func TestTaskRestartsElsewhereOnceAndOnlyAfterItsNodeWasFenced(t *testing.T) {
	s := beginWatched(t)
	s.only("n1")
	id := s.counter("500m", "n1", "n2")
	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))

	// A hanging hypervisor is no reason to give up the node.
	s.stopLibvirtd("n1", syscall.SIGSTOP)
	t.Cleanup(func() { s.stopLibvirtd("n1", syscall.SIGCONT) })
	s.outlives("n1", lease+3*time.Second)
	s.writesOn(id, 1)
	if n := s.node("n1"); n.Health != "ready" {
		t.Errorf("n1 is %s while its libvirtd is silent, want ready", n.Health)
	}

	// It does not keep the fence from acting when the cable is pulled either, even if it begins to hang just before
	// the lease ends.
	s.stopLibvirtd("n1", syscall.SIGCONT)
	first := s.guest(id, 0)
	s.ok(s.lab.lab("cut", "n1"))
	s.awaitLeaseEnd("n1", time.Second)
	s.stopLibvirtd("n1", syscall.SIGSTOP)
	s.awaitRun(id, 2, 3*ended)
	s.ok(s.frozen(first))
	left := len(s.written(id, 0, 1))
	s.wantFenced(id, "n1", 1)
	s.writesOn(id, 2)
	s.stopLibvirtd("n1", syscall.SIGCONT)
	s.ok(s.lab.lab("heal", "n1"))
	s.wantGone(first)
	s.awaitNode("n1", "ready", ended)
	if now := len(s.written(id, 0, 1)); now != left {
		t.Errorf("run 1 had written %d lines when its node was given up, and %d when that was back", left, now)
	}

	// Monitor and fence die at once. The fence is restarted, as its unit does.
	s.ok(errors.Join(s.kill("n2", "monitor"), s.kill("n2", "fence")))
	s.ok(s.spawn("n2", "fence"))
	second := s.guest(id, 0)
	s.awaitRun(id, 3, 3*ended)
	s.ok(s.frozen(second))
	s.wantFenced(id, "n2", 2)
	s.ok(s.spawn("n2", "monitor"))
	s.wantGone(second)
	s.writesOn(id, 3)
	if task := s.job(id).Tasks[0]; task.Run != 3 || task.Losses != 2 || task.Failures != 0 || task.Node != "n1" {
		t.Errorf("want it in run 3 on n1 after two losses: %+v", task)
	}
}

// stopLibvirtd sends SIGSTOP or SIGCONT to the libvirtd of a node.
func (s *scene) stopLibvirtd(node string, signal syscall.Signal) {
	s.t.Helper()
	_, err := s.exec(node, "sh", "-c", fmt.Sprintf("kill -%d $(cat /run/libvirt/libvirtd.pid)", signal))
	s.ok(err)
}

// outlives returns when the node's lease has been renewed at least once more and would have ended by now without
// that.
func (s *scene) outlives(node string, long time.Duration) {
	s.t.Helper()
	data := s.state("nodes/" + node + "/aliquot/node")
	began, err := monitor.ReadLease(data)
	s.ok(err)
	s.eventually("the lease of "+node+" is renewed on and on", ended, func() error {
		now, err := monitor.ReadLease(data)
		if err == nil && now.Until-began.Until < long {
			err = fmt.Errorf("it was renewed by %v", now.Until-began.Until)
		}
		return err
	})
}

// awaitLeaseEnd returns when the node's lease ends within the given time.
func (s *scene) awaitLeaseEnd(node string, soon time.Duration) {
	s.t.Helper()
	s.eventually("the lease of "+node+" runs out", ended, func() error {
		lease, err := monitor.ReadLease(s.state("nodes/" + node + "/aliquot/node"))
		if left := lease.Until - monitor.BootTime(); err == nil && left > soon {
			err = fmt.Errorf("it is valid for another %v", left)
		}
		return err
	})
}

// wantFenced asserts that the run was counted as lost only after its node had been silent and down.
func (s *scene) wantFenced(id, node string, run int) {
	s.t.Helper()
	var story []string
	for _, e := range s.events("", "node_silent", "node_down", "task_lost", "task_starting") {
		switch {
		case strings.HasPrefix(e.Kind, "node_") && e.Node == node:
			story = append(story, e.Kind)
		case e.Job == id && (e.Kind == "task_lost" && e.Run == run || e.Kind == "task_starting" && e.Run == run+1):
			story = append(story, e.Kind)
		}
	}
	story = story[max(0, len(story)-4):]
	if want := []string{"node_silent", "node_down", "task_lost", "task_starting"}; fmt.Sprint(story) != fmt.Sprint(want) {
		s.t.Errorf("%s, run %d on %s: %q, want %q", id, run, node, story, want)
	}
	causes := s.causes(id, "task_lost")
	if len(causes) != run || !strings.Contains(causes[run-1], "node "+node+" is down") {
		s.t.Errorf("%s was lost by %q, want the last to name %s", id, causes, node)
	}
}

// ending is the CPU time that a stopped VM may need to end, for freeing its memory.
const ending = 50 * time.Millisecond

// wantGone returns when the VM is gone. It fails if the VM runs before.
func (s *scene) wantGone(g guest) {
	s.t.Helper()
	worked := g.worked()
	s.eventually("the VM of the lost run is destroyed", 2*ended, func() error {
		if now := g.worked(); now > worked+ending {
			s.t.Fatalf("%s on %s was thawed: it has used another %v", g.name, g.node, now-worked)
		}
		for _, other := range s.guests()[g.node] {
			if other.pid == g.pid {
				return errors.New("it is there")
			}
		}
		return nil
	})
}

func TestNodeWithoutAFenceIsGivenUpByAPersonOnly(t *testing.T) {
	s := beginWatched(t)
	id := s.counter("300m", "n1")
	s.ok(s.kill("n1", "fence"))
	s.awaitFence("n1", false)
	s.ok(s.kill("n1", "monitor"))
	s.awaitNode("n1", "silent", ended)
	s.eventually("the margin has passed, and more", ended, func() error {
		if silent := time.Since(s.node("n1").Since); silent < fenceMargin+3*time.Second {
			return fmt.Errorf("n1 is silent for %v", silent)
		}
		return nil
	})
	if n, task := s.node("n1"), s.job(id).Tasks[0]; n.Health != "silent" || task.Run != 1 {
		t.Errorf("n1 is %s and the task in run %d, though nobody knows whether its VM runs", n.Health, task.Run)
	}
	s.writesOn(id, 1)
	s.ok(s.spawn("n1", "fence"))
	s.ok(s.spawn("n1", "monitor"))
	s.awaitNode("n1", "ready", ended)
	s.awaitRun(id, 1, ended)
	s.awaitCount(id, 0, s.counted(id, 0)+2, ended)
}
