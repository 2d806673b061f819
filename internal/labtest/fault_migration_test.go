package labtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aliquot/web/api"
)

func TestLibvirtdKilledDuringAMigrationLeavesOneRunningVM(t *testing.T) {
	s := beginWatched(t)
	s.only("n1")
	id := s.counter("300m", "n1", "n2")
	for _, story := range []struct {
		name, from, to, victim string
		moment                 func(s *scene, there guest, source int) bool
	}{
		{"source, while memory is sent", "n1", "n2", "n1", arrives},
		{"source, when the VM has arrived", "n2", "n1", "n2", hasArrived},
		{"destination, when the VM has arrived", "n1", "n2", "n2", hasArrived},
	} {
		source, victim := s.libvirtd(story.from), s.libvirtd(story.victim)
		t.Cleanup(func() { syscall.Kill(source, syscall.SIGCONT) }) // if the moment never comes
		s.need(s.api.SetNode(s.ctx, story.to, "uncordon"))
		s.need(s.api.SetNode(s.ctx, story.from, "drain"))
		there := s.migrating(id, story.to, source, story.moment)
		s.ok(syscall.Kill(victim, syscall.SIGKILL))
		s.eventually("the killed libvirtd is gone", ended, func() error {
			if syscall.Kill(victim, 0) == nil {
				return errors.New("it is there")
			}
			return nil
		})
		if source != victim {
			s.ok(syscall.Kill(source, syscall.SIGCONT))
		}
		t.Logf("%s: killed when the VM there had used %v; VMs: %v", story.name, there.worked(), s.guestsOf(id, 0))
		s.ok(retry(ended, func() error { return s.lab.lab("start-libvirtd", story.victim) }))
		s.awaitThat(id, "running on "+story.to, 2*ended, func(j api.Job) bool {
			return j.Tasks[0].Node == story.to && j.Tasks[0].State == "running"
		})
		s.eventually("one VM is left", ended, func() error {
			if found := s.guestsOf(id, 0); len(found) != 1 || found[0].node != story.to {
				return fmt.Errorf("%v", found)
			}
			return nil
		})
		s.awaitCount(id, 0, s.counted(id, 0)+2, ended)
		if task := s.job(id).Tasks[0]; task.Run != 1 || task.Losses != 0 {
			t.Errorf("%s: the task has lost its work: %+v", story.name, task)
		}
		s.need(s.api.SetNode(s.ctx, story.from, "uncordon"))
		s.need(s.api.SetNode(s.ctx, story.from, "cordon"))
	}
}

// The moments of a migration are predicates of the arriving VM and the source's libvirtd.
func arrives(*scene, guest, int) bool { return true }

// hasArrived lets the source's libvirtd run in tiny steps and stops it after each. So the destination's libvirtd
// finishes, and releases or keeps the VM, long before the source's learns of it.
func hasArrived(s *scene, there guest, source int) bool {
	before := worked(source)
	syscall.Kill(source, syscall.SIGCONT)
	for i := 0; i < 10 && worked(source) == before; i++ { // on a loaded machine it waits for a CPU first
		time.Sleep(2 * time.Millisecond)
	}
	syscall.Kill(source, syscall.SIGSTOP)
	state, _ := s.exec(there.node, "virsh", "domstate", "--reason", there.name)
	return strings.HasPrefix(state, "running") || strings.HasPrefix(state, "paused (user)")
}

// worked returns the CPU time of all present threads of a process.
func worked(pid int) (used time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		ran, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(ran, 10, 64)
		used += time.Duration(ns)
	}
	return used
}

// migrating returns the task's VM on its destination when the VM is there and the moment has come. It waits for
// another attempt if a migration is aborted meanwhile, perhaps because the source's libvirtd ran too slowly.
func (s *scene) migrating(id, to string, source int, moment func(s *scene, there guest, source int) bool) guest {
	s.t.Helper()
	for deadline := time.Now().Add(2 * ended); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		guests := s.guestsOf(id, 0)
		i := slices.IndexFunc(guests, func(g guest) bool { return g.node == to })
		switch {
		case i < 0:
			syscall.Kill(source, syscall.SIGCONT)
		case moment(s, guests[i], source):
			return guests[i]
		}
	}
	s.t.Fatalf("%s does not come to %s: %s", id, to, show(s.job(id)))
	return guest{}
}

// libvirtd returns the process id of the node's libvirtd on this machine.
func (s *scene) libvirtd(node string) int {
	s.t.Helper()
	pid, err := s.libvirtdOf(node)
	s.ok(err)
	return pid
}

// libvirtdOf returns the process id of the node's libvirtd, which is a child of the node's first process.
func (l *lab) libvirtdOf(node string) (int, error) {
	pid1, err := os.ReadFile(l.state("nodes/" + node + "/pid1"))
	if err != nil {
		return 0, err
	}
	init, _, _ := strings.Cut(string(pid1), " ")
	children, err := os.ReadFile(filepath.Join("/proc", init, "task", init, "children"))
	if err != nil {
		return 0, err
	}
	for _, child := range strings.Fields(string(children)) {
		name, _ := os.ReadFile(filepath.Join("/proc", child, "comm"))
		if strings.TrimSpace(string(name)) == "libvirtd" {
			return strconv.Atoi(child)
		}
	}
	return 0, errors.New("no libvirtd on " + node)
}
