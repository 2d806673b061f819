package labtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
)

// A watch asserts that no task runs twice at the same time, by observations from outside: the CPU of the vCPUs of its
// VMs on all nodes, and the output of its runs. A successor may take over between two looks. From the first look that
// sees the successor at work, the predecessor must stand still forever.
type watch struct {
	*lab
	look   int
	seen   map[string]int64            // CPU or output of each rival at the last look
	late   map[string]int64            // CPU of each VM at the last look, which counts if the VM is there at the next one
	active map[string]map[string]*span // by task, then by rival
}

// span is the range from the first to the last look at which a rival had done something.
type span struct{ first, last int }

// atWork is the least CPU time between two looks that counts as work. A VM needs less to be created without running. It
// may need more to end, for freeing its memory, so what it used before it was gone does not count.
const atWork = 8 * time.Millisecond

// beginWatched begins a test of faults: nothing is re-packed, and no task may work twice at once until the test ends.
func beginWatched(t *testing.T) *scene {
	t.Helper()
	s := begin(t)
	s.watchTwins()
	s.calm()
	return s
}

// counter submits a job that counts forever on one of the nodes, and returns once it has begun.
func (s *scene) counter(cpu string, nodes ...string) string {
	s.t.Helper()
	id := s.submitOne(on(counting(endless, cpu), nodes...))
	s.awaitCount(id, 0, 1, 2*ended)
	return id
}

// watchTwins watches until the test ends.
func (s *scene) watchTwins() {
	w := &watch{lab: s.lab, seen: map[string]int64{}, late: map[string]int64{}, active: map[string]map[string]*span{}}
	s.watch(func(context.Context) error {
		err := w.lookAround()
		if err != nil {
			clear(w.active) // or the same two would be found at every look
		}
		return err
	})
}

func (w *watch) lookAround() error {
	w.look++
	for _, guests := range w.guests() {
		for _, g := range guests {
			task := g.name[:max(0, strings.LastIndex(g.name, "-"))]
			vm := fmt.Sprintf("%s on %s, process %d", g.name, g.node, g.pid)
			before := w.late[vm]
			w.late[vm] = int64(g.worked())
			if err := w.note("the VMs of "+task, vm, before, int64(atWork)); err != nil {
				return err
			}
		}
	}
	outputs, _ := filepath.Glob(filepath.Join(w.env["STORE"], "runs", "*", "*", "*", "output"))
	for _, path := range outputs {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		run := filepath.Dir(path)
		if err := w.note("the runs in "+filepath.Dir(run), run, info.Size(), 1); err != nil {
			return err
		}
	}
	return nil
}

// note records a measure that grows when the rival does something.
func (w *watch) note(of, rival string, measure, least int64) error {
	before, known := w.seen[rival]
	w.seen[rival] = measure
	if !known || measure-before < least {
		return nil
	}
	rivals := w.active[of]
	if rivals == nil {
		rivals = map[string]*span{}
		w.active[of] = rivals
	}
	if rivals[rival] == nil {
		rivals[rival] = &span{w.look, w.look}
	}
	mine := rivals[rival]
	mine.last = w.look
	for other, s := range rivals {
		if other != rival && mine.first <= s.first && mine.last > s.first && (mine.first < s.first || s.last > s.first) {
			return fmt.Errorf(
				"%s: %s is at work at look %d, though %s was at look %d: two at the same time, or one after its successor",
				of, rival, w.look, other, s.first)
		}
	}
	return nil
}

// worked returns the CPU time of the VM's vCPUs.
func (g guest) worked() (all time.Duration) {
	for _, folder := range g.vcpus() {
		if s, err := spentBy(folder); err == nil {
			all += s.used
		}
	}
	return all
}

// frozen returns an error unless the VM's vCPUs use nothing between two looks.
func (s *scene) frozen(g guest) error {
	before := g.worked()
	for range 5 {
		time.Sleep(tick)
		if now := g.worked(); now != before {
			return fmt.Errorf("%s on %s has used another %v", g.name, g.node, now-before)
		}
	}
	return nil
}

// guest returns the one VM of a task.
func (s *scene) guest(id string, task int) guest {
	s.t.Helper()
	found := s.guestsOf(id, task)
	if len(found) != 1 {
		s.t.Fatalf("%s/%d has %d VMs: %v", id, task, len(found), found)
	}
	return found[0]
}

// written returns the lines of a run from the store; it needs no manager.
func (s *scene) written(id string, task, run int) []string {
	s.t.Helper()
	job, err := cluster.ParseJobID(id)
	s.ok(err)
	output, err := os.ReadFile(folder.Of(s.env["STORE"], cluster.RunID{Job: job, Index: task, Number: run}).Output())
	if os.IsNotExist(err) {
		return nil
	}
	s.ok(err)
	var text strings.Builder
	for _, c := range new(protocol.OutputDecoder).Feed(output) {
		text.Write(c.Data)
	}
	return strings.Fields(text.String())
}

// writesOn returns once the run has written two more lines.
func (s *scene) writesOn(id string, run int) {
	s.t.Helper()
	before := len(s.written(id, 0, run))
	s.eventually(fmt.Sprintf("run %d of %s writes on", run, id), ended, func() error {
		if now := len(s.written(id, 0, run)); now < before+2 {
			return fmt.Errorf("it had written %d lines, now %d", before, now)
		}
		return nil
	})
}

// undisturbed asserts that the job's tasks were started, that nothing else happened to them, and that they keep
// counting.
func (s *scene) undisturbed(ids ...string) {
	s.t.Helper()
	for _, id := range ids {
		for _, e := range s.events(id, "task_lost", "task_frozen", "task_stopping", "task_pausing", "task_exited") {
			s.t.Errorf("%s was disturbed: %s", id, line(e))
		}
		s.awaitCount(id, 0, s.counted(id, 0)+1, ended)
		if j := s.job(id); j.Tasks[0].Run != 1 {
			s.t.Errorf("%s is in run %d, want 1: %s", id, j.Tasks[0].Run, show(j))
		}
	}
}

// causes returns the texts of the job's events of a kind, oldest first.
func (s *scene) causes(id, kind string) (texts []string) {
	s.t.Helper()
	for _, e := range s.events(id, kind) {
		texts = append(texts, e.Text)
	}
	return texts
}

func TestWatchDistinguishesTwoAtWorkFromASuccession(t *testing.T) {
	for _, story := range []struct {
		name  string
		work  []string // rivals at work, by look
		twice bool
	}{
		{"one alone", []string{"a", "a", "a"}, false},
		{"a succession", []string{"a", "a", "b", "b"}, false},
		{"a succession between two looks", []string{"a", "a b", "b"}, false},
		{"two begin together", []string{"a b", "a b"}, true},
		{"a second one begins", []string{"a", "a b", "a b"}, true},
		{"the first comes back", []string{"a", "b", "", "a"}, true},
	} {
		w := &watch{seen: map[string]int64{}, active: map[string]map[string]*span{}}
		var err error
		for _, rival := range []string{"a", "b"} {
			err = errors.Join(err, w.note("task", rival, 0, 1))
		}
		for _, look := range story.work {
			w.look++
			for _, rival := range []string{"a", "b"} {
				measure := w.seen[rival]
				if strings.Contains(look, rival) {
					measure++
				}
				err = errors.Join(err, w.note("task", rival, measure, 1))
			}
		}
		if (err != nil) != story.twice {
			t.Errorf("%s: %v", story.name, err)
		}
	}
}
