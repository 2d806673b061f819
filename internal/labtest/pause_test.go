package labtest

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"aliquot/web/api"
)

// big returns a counting job of one task that leaves no room for another such task on any node.
func big(n int, cpu string) api.JobSpec {
	spec := counting(n, cpu)
	spec.Memory = "1100Mi"
	return spec
}

func TestFullClusterPausesARunningJobForANewOneAndResumesItWhereItWas(t *testing.T) {
	s := begin(t)
	s.calm()
	filler := counting(endless, "100m")
	filler.Memory = "250Mi"
	old := s.submitOne(big(endless, "1"))
	s.awaitCount(old, 0, 3, ended)
	s.submit(filler, filler)
	s.eventually("the cluster is full", ended, func() error { return s.wantNoRoom(160 << 20) })
	s.matured(old)

	fresh := s.submitOne(big(20*stride, "1"))
	s.await(old, "paused", ended)
	if guests := s.guestsOf(old, 0); len(guests) != 0 {
		t.Errorf("%s is paused and has a VM: %v", old, guests)
	}
	if why := s.job(old).Why; why == nil || why.Code != "paused_for" {
		t.Errorf("%s gives the reason %+v", old, why)
	}
	written := s.counted(old, 0)
	s.await(fresh, "succeeded", 2*ended)
	if n := s.counted(fresh, 0); n != 20 {
		t.Errorf("%s wrote %d lines, want 20", fresh, n)
	}
	s.await(old, "running", ended)
	s.awaitCount(old, 0, written+5, ended)
	s.wantOrder(s.events(""), []string{"task_started " + old, "task_paused " + old, "task_started " + fresh, "job_ended " +
		fresh, "task_resumed " + old})
	if j := s.job(old); j.Tasks[0].Run != 1 || j.Tasks[0].Losses != 0 {
		t.Errorf("work was lost: %s", show(j))
	}
}

// matured returns when the job is worth pausing: a job makes way for others only after it has run for a twentieth of
// its resume time of 11 s.
func (s *scene) matured(id string) {
	s.t.Helper()
	s.awaitCount(id, 0, 1, ended)
	s.awaitThat(id, "no longer young", ended, func(j api.Job) bool { return j.VirtualSeconds > 1 })
}

// wantNoRoom returns an error if a node has that much memory left.
func (s *scene) wantNoRoom(bytes int64) error {
	nodes, err := s.api.Nodes(s.ctx)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if n.MemoryReservedBytes+bytes <= n.MemoryBytes {
			return fmt.Errorf("%s has %d of %d bytes reserved", n.Name, n.MemoryReservedBytes, n.MemoryBytes)
		}
	}
	return nil
}

// images returns the files on the store with saved memory of a job.
func (s *scene) images(id string) []string {
	s.t.Helper()
	images, err := filepath.Glob(filepath.Join(s.env["STORE"], "runs", id, "*/*/memory*"))
	s.ok(err)
	return images
}

// wantOrder asserts that the events, written as kind and job, occur in that order, with any others between them.
func (s *scene) wantOrder(events []api.Event, order []string) {
	s.t.Helper()
	var seen []string
	for _, e := range events {
		if len(seen) < len(order) && e.Kind+" "+e.Job == order[len(seen)] {
			seen = append(seen, order[len(seen)])
		}
	}
	if !slices.Equal(seen, order) {
		s.t.Errorf("of the events %q there were, in this order, only %q", order, seen)
	}
}

func TestHeldJobKeepsItsWorkAndNothingElse(t *testing.T) {
	s := begin(t)
	id := s.submitOne(counting(endless, "1"))
	s.awaitCount(id, 0, 3, ended)
	s.need(s.api.Hold(s.ctx, id))
	s.awaitThat(id, "held and off its node", ended, func(j api.Job) bool {
		return j.State == "held" && j.Phases["paused"] == 1
	})
	if guests, images := s.guestsOf(id, 0), s.images(id); len(guests) != 0 || len(images) != 1 {
		t.Errorf("%s is held and has the VMs %v and the images %q", id, guests, images)
	}
	for _, p := range s.places {
		if n := s.node(p.name); n.MemoryReservedBytes != 0 {
			t.Errorf("%s has %d bytes reserved", n.Name, n.MemoryReservedBytes)
		}
	}
	written := s.counted(id, 0)
	s.need(s.api.Release(s.ctx, id))
	s.await(id, "running", ended)
	s.awaitCount(id, 0, written+3, ended)
	if j := s.job(id); j.Tasks[0].Run != 1 {
		t.Errorf("it started again: %s", show(j))
	}
	s.eventually("the image that was used is gone", ended, func() error {
		if images := s.images(id); len(images) > 0 {
			return fmt.Errorf("there are %q", images)
		}
		return nil
	})
}

func TestRunningPausedAndWaitingJobsAreCancelled(t *testing.T) {
	s := begin(t)
	s.calm()
	paused := s.submitOne(big(endless, "1"))
	s.matured(paused)
	running := s.submitOne(big(endless, "1"))
	s.await(paused, "paused", ended)
	s.awaitThat(running, "on its node", ended, func(j api.Job) bool { return j.Tasks[0].Node != "" })
	waiting := s.submitOne(big(endless, "1"))
	s.awaitThat(waiting, "told why it waits", ended, func(j api.Job) bool {
		return j.Why != nil && j.Why.Code != "not_decided"
	})
	s.await(waiting, "waiting", 0)
	for _, id := range []string{waiting, paused, running} {
		s.need(s.api.Cancel(s.ctx, id, "enough of "+id))
	}
	for _, id := range []string{waiting, paused, running} {
		j := s.await(id, "cancelled", ended)
		if j.Cause != "enough of "+id {
			t.Errorf("%s was cancelled because of %q", id, j.Cause)
		}
		if guests := s.guestsOf(id, 0); len(guests) != 0 {
			t.Errorf("%s left a VM: %v", id, guests)
		}
	}
	if s.counted(paused, 0) == 0 {
		t.Error("the output of the job that was paused is gone")
	}
}
