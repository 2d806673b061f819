package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestNodesAreListedByName(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"n10", "n2", "n1"} {
		d.Join(t, name, 1000, 512*cluster.MiB)
	}
	var names []string
	for line := range strings.Lines(d.ok("node list")) {
		names = append(names, strings.Fields(line)[0])
	}
	if want := []string{"NODE", "n1", "n2", "n10"}; !slices.Equal(names, want) {
		t.Errorf("listed as %q, not %q", names, want)
	}
}

func TestSilentNodesAreNotSaidToHaveFrozen(t *testing.T) {
	help := newDesk(t).ok("node list --help")
	if strings.Contains(help, "frozen") || !strings.Contains(help, "may still run") {
		t.Errorf("the VMs of a silent node may run until its fence has acted: %s", help)
	}
}

func TestTheTimeOfANodesHealthIsNotSaidOfItsProblems(t *testing.T) {
	whole := api.Node{FenceAlive: true, HypervisorAnswers: true, Cordoned: true}
	unreachable, silent := whole, whole
	unreachable.State, unreachable.Draining, silent.State = "unreachable", true, "silent"
	for state, n := range map[string]api.Node{
		"ready since ":                             {FenceAlive: true, HypervisorAnswers: true},
		"unreachable, draining; ready since ":      unreachable,
		"silent, cordoned; ready since ":           silent,
		"stalled, hypervisor silent; ready since ": {State: "stalled", FenceAlive: true},
		"ready, fence dead; ready since ":          {HypervisorAnswers: true},
		"ready, 1 stray; ready since ":             {FenceAlive: true, HypervisorAnswers: true, Strays: []string{"j9"}},
		"draining, fence dead; ready since ":       {State: "draining", HypervisorAnswers: true},
	} {
		n.Health, n.Since = "ready", time.Unix(0, 0)
		n.State = first(n.State, n.Health)
		if got, want := nodeState(&n)+since(&n), state+when(n.Since); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNodesAreInvitedAndRemoved(t *testing.T) {
	d := newDesk(t)
	if out := d.ok("node invite n9 --for 10m"); out != webtest.JoinToken+"\n" {
		t.Errorf("the token alone should be printed, not %q", out)
	}
	d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.ok("node remove n1 n9 --yes")
	if out := d.ok("node list"); strings.Contains(out, "n1") || strings.Contains(out, "n9") {
		t.Errorf("listed are still: %s", out)
	}
}

func TestTheRemovalOfANodeInServiceIsConfirmed(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.Join(t, "n2", 1000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 1000, n1)
	if o := d.run("node remove n2"); o.code != exitUsage || !strings.Contains(o.err, "add --yes") {
		t.Errorf("where nobody can be asked: %+v", o)
	}
	if o := d.answer("no", "node remove n2"); o.code == exitDone ||
		!strings.Contains(o.err, "n2 is ready. Its certificate will be refused") ||
		!strings.Contains(o.err, "No task is placed there.") {
		t.Errorf("without tasks: %+v", o)
	}
	if o := d.answer("no", "node remove n1 --force"); o.code == exitDone ||
		!strings.Contains(o.err, "1 task is placed there. Once its lease has run out") {
		t.Errorf("with a task: %+v", o)
	}
	if o := d.run("node remove n1"); o.code != exitFailed || !strings.Contains(o.err, "drain it first") {
		t.Errorf("with a task, without force: %+v", o)
	}
	if list := d.ok("node list"); !strings.Contains(list, "n1") || !strings.Contains(list, "n2") {
		t.Errorf("left are: %s", list)
	}
	d.ok("node drain n2")
	d.ok("node remove n2")
	if o := d.answer("yes", "node remove n1 --force"); o.code != exitDone {
		t.Errorf("confirmed: %+v", o)
	}
}

func TestTheRemovalOfANodePromisesOnlyWhatItsFenceKeeps(t *testing.T) {
	const fenced, confirmed = "its fence must have stopped", "`aliquot node confirm-down n1`"
	for name, c := range map[string]struct {
		n          api.Node
		says, hush string
	}{
		"with a living fence":           {api.Node{State: "ready", FenceAlive: true}, fenced, confirmed},
		"silent, its fence alive":       {api.Node{State: "silent", FenceAlive: true}, fenced, confirmed},
		"with a dead fence":             {api.Node{State: "ready"}, confirmed, fenced},
		"silent, its fence not alive":   {api.Node{State: "silent"}, confirmed, fenced},
		"cordoned, its fence not alive": {api.Node{State: "cordoned"}, confirmed, fenced},
	} {
		c.n.Name, c.n.Tasks = "n1", 2
		text := removalEffect(&c.n)
		if !strings.Contains(text, c.says) || strings.Contains(text, c.hush) ||
			!strings.Contains(text, "or their jobs fail if submitted with --restart-on-loss=false") {
			t.Errorf("a node %s: %s", name, text)
		}
	}
}

func TestACordonOrDrainThatWouldBreakAPromiseNeedsForce(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	d.ok("job submit --cpu 500m --memory 96Mi --start 2h --for 10m -- true")
	// The console reads the promises out of this sentence: see cordon in its pages/nodes/actions.tsx.
	named := regexp.MustCompile(`: it would break the promises to j1 of admin .*: plan maintenance for another time`)
	for _, line := range []string{"node cordon n1", "node drain n1"} {
		if o := d.run(line); o.code != exitFailed || !named.MatchString(o.err) {
			t.Errorf("%s: %+v", line, o)
		}
	}
	d.ok("node cordon n1 --force")
	d.ok("node uncordon n1")
	d.ok("node drain n1 --force")
	if list := d.ok("node list"); !strings.Contains(list, "drained") {
		t.Error(list)
	}
}

func TestMaintenanceIsPlannedListedAndCancelled(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	start := time.UnixMicro(int64(d.Latest().At)).Add(time.Hour).UTC().Format(time.RFC3339)
	d.ok("node maintain n1 --start " + start + " --for 2h --reason disk")
	for _, list := range []string{d.ok("node maintenance"), d.ok("node show n1")} {
		if !strings.Contains(list, "disk") {
			t.Errorf("it is missing in\n%s", list)
		}
	}
	if o := d.run("node maintain n1"); o.code != exitUsage {
		t.Errorf("without its length: %+v", o)
	}
	d.ok("node maintain n1 --cancel --start " + start)
	if list := d.ok("node maintenance"); !strings.Contains(list, "No maintenance is planned") {
		t.Errorf("it is still planned:\n%s", list)
	}
}

func TestADrainIsWaitedFor(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.Join(t, "n2", 1000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 1000, n1)
	if o := d.run("node drain n1 --wait --timeout 50ms"); o.code != exitLate ||
		!strings.HasSuffix(o.err, "aliquot: not all nodes are drained within 50ms; they drain on\n") {
		t.Errorf("a node that is not empty: %+v", o)
	}
	done := make(chan outcome)
	go func() { done <- d.run("node drain n1 n2 --wait") }()
	d.Exit(t, cluster.RunID{Job: 1, Number: 1}, 0)
	if o := <-done; o.code != exitDone || !strings.HasSuffix(o.err, "n1 is drained.\nn2 is drained.\n") {
		t.Errorf("a node that empties: %+v", o)
	}
	if o := d.run("node drain n1 --timeout 1s"); o.code != exitUsage {
		t.Errorf("a limit for nothing: %+v", o)
	}
}

func TestTheProgressOfADrainCountsTheTasksThatAreLeft(t *testing.T) {
	for tasks, want := range map[int]string{
		3: "n1 drains: 3 tasks are placed there",
		1: "n1 drains: 1 task is placed there",
		0: "n1 drains: its last VMs are leaving",
	} {
		if got := drainLine(&api.Node{Name: "n1", Tasks: tasks}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNodesAreSteered(t *testing.T) {
	d := busy(t)
	d.ok("node drain n1 n2")
	if n := d.Latest().Node(1); !n.Draining {
		t.Error("n1 does not drain")
	}
	d.ok("node uncordon n1")
	if n := d.Latest().Node(1); n.Draining || n.Cordoned {
		t.Error("n1 still drains")
	}
	run := cluster.RunID{Job: 3, Number: 1}
	d.Report(t, 1, cluster.Observation{Run: run, Seen: cluster.SeenStray})
	if out := d.ok("node strays"); !strings.Contains(out, "n1    j3/0/1") {
		t.Errorf("strays: %s", out)
	}
	d.ok("node destroy n1 j3/0/1")
	d.Must(t, cluster.SetHealth{Node: 2, Health: cluster.Silent})
	d.ok("node confirm-down n2 --yes")
	if h := d.Latest().Node(2).Health; h != cluster.Down {
		t.Errorf("n2 is %v", h)
	}
}

func TestAStateSaysNoTimeThatIsNotItsOwn(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.Advance(cluster.Hour)
	d.ok("node drain n1")
	if page := d.ok("node show n1"); !strings.Contains(page, "drained; ready since 2026-01-01 12:00:00 UTC\n") {
		t.Error(page)
	}
}

func TestADeadFenceIsListedInEveryState(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.Must(t, cluster.Report{Node: n1, StoreProven: true, StoreFree: cluster.MiB})
	for wish, want := range map[string]string{"uncordon": "ready, fence dead", "cordon": "cordoned, fence dead",
		"drain": "drained, fence dead"} {
		d.ok("node " + wish + " n1")
		if list := d.ok("node list"); !strings.Contains(list, want) {
			t.Errorf("%s:\n%s", wish, list)
		}
	}
}

func TestOpenInvitationsAreListedUntilTheyAreWithdrawn(t *testing.T) {
	d := newDesk(t)
	d.ok("node invite n7 --for 2h")
	if list := d.ok("node invitations"); list != "NODE  EXPIRES\nn7    2026-01-01 14:00:00 UTC\n" {
		t.Error(list)
	}
	if o := d.run("node remove n7"); o.code != exitDone || o.out+o.err != "The invitation of n7 is withdrawn.\n" {
		t.Errorf("an invitation is removed: %+v", o)
	}
	if list := d.ok("node invitations"); list != "NODE  EXPIRES\n" {
		t.Error(list)
	}
}

func TestMaintenanceIsCancelledByItsBeginAlsoAfterIt(t *testing.T) {
	begin := time.Date(2026, 11, 26, 22, 0, 0, 500, time.UTC)
	list := []api.Maintenance{{Start: begin.Add(-24 * time.Hour)}, {Start: begin.Add(time.Hour)}, {Start: begin}}
	for text, want := range map[string]string{
		"23:00": "2026-11-26T23:00:00.0000005Z", "2026-11-26T23:00:00.0000005+01:00": "2026-11-26T22:00:00.0000005Z",
		"3h": "", "21:00": "",
	} {
		if got, err := beginning(list, text); got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}
