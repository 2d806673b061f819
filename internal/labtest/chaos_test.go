package labtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

var (
	faultCount    = flag.Int("chaos", 8, "number of faults on real VMs")
	faultSeed     = flag.Uint64("seed", 1, "seed of the faults")
	faultManagers = flag.Int("managers", 1, "number of managers while faults happen: 1 or 3")
	faultKinds    = flag.String("kinds", "", "only kinds of faults whose name contains this")
	faultReport   = flag.String("report", "", "file for the table of figures")
)

// chaos is a scene in which faults happen while at least a dozen VMs run.
type chaos struct {
	*scene
	seats   []seat
	steady  []string // jobs that never end
	passing []string // jobs that end
	tallies map[string]*tally
	noted   int64 // errors of watchers that belong to earlier faults
	figures figures
}

// A seat is a place for a manager, which starts there again after a fault.
type seat struct {
	manager func() *manager
	start   func() error
}

// roomy are places for 16 VMs on any two of the three nodes.
var roomy = []place{{"n1", 600, 1456 << 20}, {"n2", 500, 1456 << 20}, {"n3", 500, 1456 << 20}}

// The steady jobs have 12 tasks: most sleep between two lines, the rest count as fast as they may.
const (
	sleepers   = 8
	counters   = 2 // of two tasks each
	passers    = 2 // jobs that end, at a time
	passLines  = 15
	fewLosses  = 7 // a job whose task was lost more often is replaced before the cluster fails it
	patience   = 3 * time.Minute
	glance     = 300 * time.Millisecond // limit of a look at a cluster that may not answer
	chaosLimit = 24 * time.Hour
)

func TestEverythingConvergesAfterEachFaultAndNothingIsLostOrRunsTwice(t *testing.T) {
	c := beginChaos(t)
	for i, f := range draw(*faultSeed, *faultCount, possible()) {
		c.populate()
		c.figures.note(c.inflict(i+1, f))
		c.report()
		if c.figures.hopeless() {
			break
		}
	}
	c.drainPassing()
	t.Log("\n" + c.figures.table())
	for _, trouble := range c.figures.troubles {
		t.Error(trouble)
	}
}

// report writes the figures so far: a run may take hours, and be interrupted.
func (c *chaos) report() {
	c.t.Helper()
	if *faultReport != "" {
		c.ok(os.WriteFile(*faultReport, []byte(c.figures.table()), 0o644))
	}
}

// possible returns the kinds that are wanted and that this lab can have.
func possible() []breakage {
	return slices.DeleteFunc(breakages(), func(b breakage) bool {
		return !strings.Contains(b.name, *faultKinds) || b.trio && *faultManagers != 3 ||
			b.disk && os.Getenv("ALIQUOT_LAB_DISKS") == ""
	})
}

// beginChaos prepares the lab: equal nodes with room for the tasks of a node that fails, and steady jobs.
func beginChaos(t *testing.T) *chaos {
	t.Helper()
	l, err := theLab()
	if err != nil {
		t.Fatal(err)
	}
	before := l.places
	runBeside()
	c := &chaos{tallies: map[string]*tally{}}
	c.scene = enter(t, theLab, chaosLimit)
	resize(t, l, roomy)
	t.Cleanup(func() {
		c.empty()
		resize(t, l, before)
	})
	c.seats = []seat{{func() *manager { return l.manager }, l.startManager}}
	if *faultManagers == 3 {
		c.takeThree()
	}
	c.watchMemory()
	c.watchTwins()
	c.populate()
	c.ok(c.converge(nil))
	return c
}

// resize gives the empty nodes another capacity.
func resize(t *testing.T, l *lab, to []place) {
	t.Helper()
	l.places = to
	for _, p := range l.places {
		machine := filepath.Join(l.env["CGROUP_"+p.name], "machine")
		file, text := filepath.Join(machine, "cpu.cfs_quota_us"), fmt.Sprint(int64(p.cpu)*100)
		if _, err := os.Stat(file); err != nil {
			file, text = filepath.Join(machine, "cpu.max"), text+" 100000"
		}
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o644), l.kill(p.name, "monitor"),
			l.spawn(p.name, "monitor")); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.awaitNodes(); err != nil {
		t.Fatal(err)
	}
}

// takeThree puts three managers in the place of the one.
func (c *chaos) takeThree() {
	c.t.Helper()
	backup := c.backup("manager")
	c.ok(c.endManager(syscall.SIGTERM))
	three := c.becomeThree(backup)
	c.seats = nil
	for i := 1; i <= 3; i++ {
		c.seats = append(c.seats, seat{
			func() *manager { return three.managers[i] },
			func() error { three.start(i); return nil },
		})
	}
}

// populate submits jobs until the steady ones have a dozen tasks and some others are on their way to their end.
func (c *chaos) populate() {
	c.t.Helper()
	c.retire()
	for i := len(c.steady); i < sleepers+counters; i++ {
		spec := sleeping()
		if i < counters {
			spec = several(2, counting(endless, "60m"))
		}
		c.steady = append(c.steady, c.submitSurely(spec))
	}
	for len(c.passing) < passers {
		c.passing = append(c.passing, c.submitSurely(counting(passLines*stride, "250m")))
	}
}

// sleeping returns a job that counts like counting, five numbers in a second.
func sleeping() api.JobSpec {
	return shell(fmt.Sprintf("i=0; while :; do i=$((i+%d)); echo $i; sleep 0.2; done", stride), "100m")
}

// submitSurely submits a job once, even if the answer is lost.
func (c *chaos) submitSurely(spec api.JobSpec) (id string) {
	c.t.Helper()
	key := fmt.Sprint("chaos ", time.Now().UnixNano())
	c.ok(retry(patience, func() error {
		accepted, err := c.api.Submit(c.ctx, spec, key)
		id = accepted.Job
		return err
	}))
	return id
}

// retire forgets jobs that have ended and cancels those whose tasks were lost too often to go on.
func (c *chaos) retire() {
	c.t.Helper()
	c.passing = slices.DeleteFunc(c.passing, c.hasPassed)
	c.steady = slices.DeleteFunc(c.steady, func(id string) bool {
		j := c.job(id)
		if j.Ended != nil {
			c.figures.trouble("%s has ended: %s %s", id, j.State, j.Cause)
			return true
		}
		worn := slices.ContainsFunc(j.Tasks, func(task api.Task) bool { return task.Losses > fewLosses })
		if worn {
			c.need(c.api.Cancel(c.ctx, id, "its tasks were lost too often"))
		}
		return worn
	})
}

// hasPassed reports whether a job has ended, and notes if it did not end well.
func (c *chaos) hasPassed(id string) bool {
	c.t.Helper()
	j := c.job(id)
	if j.Ended == nil {
		return false
	}
	if j.State != "succeeded" {
		c.figures.trouble("%s should succeed: %s %s", id, j.State, j.Cause)
	} else if n := len(c.written(id, 0, j.Tasks[0].Run)); n != passLines {
		c.figures.trouble("%s has succeeded with %d lines, want %d", id, n, passLines)
	}
	return true
}

// drainPassing returns when the jobs that end have ended.
func (c *chaos) drainPassing() {
	c.t.Helper()
	if err := retry(patience, func() error {
		c.passing = slices.DeleteFunc(c.passing, c.hasPassed)
		if len(c.passing) > 0 {
			return fmt.Errorf("%v have not ended", c.passing)
		}
		return nil
	}); err != nil {
		c.figures.trouble("jobs that end: %v", err)
	}
}

// inflict lets a fault happen and returns when everything has converged after its end.
func (c *chaos) inflict(number int, f fault) outcome {
	c.t.Helper()
	began, since := time.Now(), c.lastEvent()
	o := outcome{fault: f}
	mend, err := kindOf(f).hurt(c, f)
	if err != nil && !errors.Is(err, errIdle) {
		o.trouble("the fault could not be made: %v", err)
	}
	o.idle = errors.Is(err, errIdle)
	o.noticed = c.watchNode(f, began)
	if err := mend(); err != nil {
		o.trouble("the fault's cause could not be removed: %v", err)
	}
	removed := time.Now()
	if err := c.converge(c.sizes()); err != nil {
		o.trouble("not converged within %v: %v", patience, err)
	}
	o.recovered = time.Since(removed)
	c.judge(&o, since, began)
	c.t.Logf("%d: %v: %v", number, f, o)
	return o
}

// watchNode lets the fault last, and returns how long it took until REST showed that something is wrong with the node.
func (c *chaos) watchNode(f fault, began time.Time) (noticed time.Duration) {
	for time.Since(began) < f.long {
		if noticed == 0 && c.shows(f.node) {
			noticed = time.Since(began)
		}
		time.Sleep(tick)
	}
	return noticed
}

// shows reports whether REST shows something wrong with a node.
func (c *chaos) shows(node string) bool {
	ctx, cancel := context.WithTimeout(c.ctx, glance)
	defer cancel()
	n, err := c.api.Node(ctx, node)
	return err == nil && !sound(n)
}

func sound(n api.Node) bool {
	return n.Health == "ready" && n.LastSeen == nil && n.FenceAlive && n.StoreProven && n.HypervisorAnswers &&
		len(n.Strays) == 0
}

// eventsSince returns the signs of trouble after the revision, however long the managers need to answer.
func (c *chaos) eventsSince(since uint64) (events []api.Event, err error) {
	err = retry(patience, func() error {
		events, err = c.api.History(c.ctx, client.EventFilter{Kinds: signs}, 5000)
		return err
	})
	return slices.DeleteFunc(events, func(e api.Event) bool { return e.Revision <= since }), err
}

// lastEvent returns the revision of the newest event.
func (c *chaos) lastEvent() uint64 {
	c.t.Helper()
	var events []api.Event
	c.ok(retry(patience, func() (err error) {
		events, err = c.api.History(c.ctx, client.EventFilter{}, 1)
		return err
	}))
	if len(events) == 0 {
		return 0
	}
	return events[0].Revision
}

// judge reads the events since the fault: when it was first noticed, and whether it explains each loss.
func (c *chaos) judge(o *outcome, since uint64, began time.Time) {
	c.t.Helper()
	c.tallyAll(o)
	events, err := c.eventsSince(since)
	if err != nil {
		o.trouble("what happened is not known: %v", err)
	}
	for _, e := range events {
		if at := max(0, e.At.Sub(began)); o.noticed == 0 || at < o.noticed {
			o.noticed = max(at, time.Millisecond)
		}
		if e.Kind != "task_lost" {
			continue
		}
		if o.fault.excuses(e.Node) {
			o.excused++
		} else {
			o.lost++
			o.trouble("lost without a reason: %s", line(e))
			c.tellJob(e.Job)
		}
	}
	if alarms := c.alarms.Load(); alarms > c.noted {
		o.trouble("watchers have reported %d errors, see above", alarms-c.noted)
		c.noted = alarms
	}
}

// tellJob logs what happened last to a job.
func (c *chaos) tellJob(id string) {
	c.t.Helper()
	events, err := c.api.History(c.ctx, client.EventFilter{Job: id}, 40)
	if err != nil {
		c.t.Log(err)
	}
	for _, e := range slices.Backward(events) {
		c.t.Log("  ", line(e))
	}
}

// signs are the kinds of events that show that the cluster has noticed a fault.
var signs = []string{"task_lost", "task_frozen", "node_silent", "node_down", "node_hypervisor_silent", "node_stray",
	"leader_claimed"}
