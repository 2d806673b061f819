package xentest

import (
	"strconv"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

func TestATaskRunsOnXenToItsExitCode(t *testing.T) {
	s := newScene(t)
	s.begin("xn1", 1, cluster.Core, "foreground", "seq 1 100000; echo done >&2; exit 5")
	s.untilExit("xn1", 1)
	if exit := s.guest(1).Exit; exit.Code != 5 || exit.Cause != "" {
		t.Errorf("%+v", exit)
	}
	out := s.output(1)
	if numbers := strings.Count(out, "\n"); numbers != 100_001 || !strings.Contains(out, "\n100000\n") {
		t.Errorf("%d lines of output, want 100001", numbers)
	}
}

func TestAVMPausedOnOneXenHostResumesOnAnother(t *testing.T) {
	s := newScene(t)
	s.begin("xn1", 2, cluster.Core, "foreground",
		"(while :; do :; done) & i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done")
	s.untilMore("xn1", 2)
	s.node("xn1", "save", "2")
	if all := s.list("xn1"); len(all.Domains) != 0 {
		t.Fatalf("after the save: %+v", all.Domains)
	}
	before := s.count(2)
	s.Cleanup(func() { s.node("xn2", "destroy", "2") })
	s.withinCap(s.node("xn2", "restore", "2", "300", "foreground"), 300)
	s.untilMore("xn2", 2)
	if after := s.count(2); after <= before {
		t.Errorf("it counted to %d before and to %d after", before, after)
	}
	d := s.list("xn2").Domains[runOf(2).String()]
	if d.State != reconcile.Running || d.Cap != 300 || d.Tier != cluster.Foreground || d.Platform != "xen/pvh" {
		t.Errorf("restored: %+v", d)
	}
	s.node("xn2", "share", "2", "455", "background")
	if d := s.list("xn2").Domains[runOf(2).String()]; d.Cap != 460 || d.Tier != cluster.Background {
		t.Errorf("after a change, as a monitor that has begun anew sees it: %+v", d)
	}
	s.node("xn2", "share", "2", "1000", "foreground")
	s.fenced("xn2", 2)
}

func TestAVMMovesAliveBetweenXenHosts(t *testing.T) {
	s := newScene(t)
	s.begin("xn1", 3, cluster.Core, "foreground",
		"(while :; do :; done) & i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done")
	s.untilMore("xn1", 3)
	s.Cleanup(func() { s.node("xn2", "destroy", "3") })
	arrived := make(chan string)
	go func() { arrived <- s.node("xn2", "arrive", "3", "300", "foreground", "xn1") }()
	s.node("xn1", "migrate", "3", "xn2")
	before := s.count(3)
	s.withinCap(<-arrived, 300)
	if all := s.list("xn1"); len(all.Domains) != 0 {
		t.Errorf("where it was: %+v", all.Domains)
	}
	s.untilMore("xn2", 3)
	if after := s.count(3); after <= before {
		t.Errorf("it counted to %d before and to %d after", before, after)
	}
	d := s.list("xn2").Domains[runOf(3).String()]
	if d.State != reconcile.Running || d.Cap != 300 || d.Tier != cluster.Foreground {
		t.Errorf("arrived: %+v", d)
	}
}

// withinCap fails if a VM used more than its cap from the moment on at which it ran again.
func (s scene) withinCap(used string, cap cluster.CPU) {
	s.Helper()
	is, err := strconv.Atoi(strings.TrimSpace(used))
	if err != nil || cluster.CPU(is) > cap+100 || is == 0 {
		s.Errorf("under a cap of %v it used %q, %v", cap, used, err)
	}
}

// fenced lets the fence of a host pause a running VM twice, without libvirt, the monitor let it run on, and the fence
// end it.
func (s scene) fenced(host string, job int) {
	s.Helper()
	run := runOf(job).String()
	s.node(host, "fence")
	s.node(host, "fence")
	if d := s.list(host).Domains[run]; d.State != reconcile.Frozen {
		s.Errorf("after the fence's pause: %+v", d)
	}
	s.node(host, "thaw", strconv.Itoa(job))
	if d := s.list(host).Domains[run]; d.State != reconcile.Running {
		s.Errorf("after its thaw: %+v", d)
	}
	s.untilMore(host, job)
	s.node(host, "end")
	if all := s.list(host); len(all.Domains) != 0 {
		s.Errorf("after the fence's end: %+v", all.Domains)
	}
}

// count returns to what a counting task has counted, and fails if a number is missing.
func (s scene) count(job int) int {
	s.Helper()
	lines := strings.Fields(s.output(job))
	for i, line := range lines[:max(0, len(lines)-1)] { // the last may be cut
		if line != strconv.Itoa(i+1) {
			s.Fatalf("line %d is %q", i+1, line)
		}
	}
	return len(lines)
}

func TestCapsOfFourVMsHoldOnXen(t *testing.T) {
	s := newScene(t)
	caps := []cluster.CPU{300, 200, 100, 60}
	for i, cap := range caps { // one after the other, because four that boot at once starve their host
		job := 11 + i
		s.begin("xn1", job, cluster.Core, "foreground", "echo go; while :; do :; done")
		s.node("xn1", "until", strconv.Itoa(job), "output", "1")
		s.node("xn1", "share", strconv.Itoa(job), strconv.Itoa(int(cap)), "foreground")
	}
	used, before := s.use("xn1"), cluster.CPU(2*cluster.Core)
	t.Log(used)
	for i, cap := range caps {
		is := used[runOf(11+i).String()]
		if is > cap+100 || is < cap-100 || is == 0 {
			t.Errorf("under a cap of %v it used %v", cap, is)
		}
		if is > before {
			t.Errorf("the order of the caps is not that of use: %v", used)
		}
		before = is
	}
}

func TestABackgroundVMGetsLittleBesideABusyOneOnXen(t *testing.T) {
	s := newScene(t)
	for _, job := range []int{21, 22} { // the second boots before it has to give way
		s.begin("xn1", job, cluster.Core, "foreground", "echo go; while :; do :; done")
		s.node("xn1", "until", strconv.Itoa(job), "output", "1")
	}
	s.node("xn1", "share", "22", "1000", "background")
	used := s.use("xn1")
	t.Log(used)
	const most = 100 // on one processor, which the emulated host shares with dom0
	if front, back := used[runOf(21).String()], used[runOf(22).String()]; back > most || front < 5*back {
		t.Errorf("a background VM used %v beside one in the foreground with %v", back, front)
	}
}
