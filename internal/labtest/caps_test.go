package labtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aliquot/web/api"
)

const (
	windows = 3
	window  = 10 * time.Second
	slack   = 20 // millicores: 2 % of a core
)

// A gauge measures the CPU of one task's VM.
type gauge struct {
	task    string
	cap     int      // millicores of all its vCPUs together, in force
	cgroups []string // cgroups of its vCPUs
	parents []string // cgroups above: the VM's, and that of all VMs of its node
	used    []int    // millicores, per window
	own     []spent  // of its vCPUs, per window
	above   []time.Duration
}

func TestBusyVMsGetTheirCapsAndTasksOfAJobTheSameYield(t *testing.T) {
	s := beginAlone(t)
	s.calm()
	ids := s.submit(several(3, counting(endless, "600m")), several(2, counting(endless, "1")),
		several(2, counting(endless, "400m")))
	for _, id := range ids {
		s.await(id, "running", 2*ended)
	}
	s.settled(ids)
	var gauges []*gauge
	for _, id := range ids {
		gauges = append(gauges, s.gauges(s.job(id))...)
	}
	if len(gauges) < 6 {
		t.Fatalf("%d VMs run, want at least 6", len(gauges))
	}
	var idle []int
	for range windows {
		idle = append(idle, measure(t, gauges))
	}
	s.settled(ids)
	for _, g := range gauges {
		t.Logf("%s capped at %d used %v; short of quota in %v, above throttled %v; machine idle %v", g.task, g.cap, g.used,
			g.own, g.above, idle)
		g.judge(t, idle)
	}
}

func TestAVMOfATinyShareBootsWithWhatOthersLeaveAndThenHasItsShare(t *testing.T) {
	s := begin(t)
	s.calm()
	// At a hundredth of a core an emulated guest alone would boot for longer than the test waits.
	id := s.submitOne(on(counting(endless, "10m"), "n1"))
	s.await(id, "running", ended)
	s.settled([]string{id})
	if j := s.job(id); j.Tasks[0].CapObservedMillicores != 10 {
		t.Errorf("its cap is %d after it has started, want 10: %s", j.Tasks[0].CapObservedMillicores, show(j))
	}
}

// A kernel that had little CPU while it measured a time stamp counter would count several seconds for each that passes.
func TestAnEmulatedGuestReadsAClockWhoseRateItIsTold(t *testing.T) {
	s := begin(t)
	s.calm()
	id := s.submitOne(on(shell("cat /sys/devices/system/clocksource/clocksource0/current_clocksource", "500m"), "n1"))
	s.await(id, "succeeded", ended)
	if got := strings.TrimSpace(s.output(id, 0)); got != "hpet" {
		t.Errorf("it reads %s, want hpet", got)
	}
}

// several returns the spec for a job of the given number of tasks.
func several(tasks int, spec api.JobSpec) api.JobSpec {
	spec.Tasks = tasks
	return spec
}

// calm prevents ticks of the policy, so that only the test itself makes occasions.
func (s *scene) calm() {
	s.t.Helper()
	s.need(s.api.SetPolicy(s.ctx, api.Policy{Name: policyName, Period: "24h"}))
}

// settled waits until the caps in force equal the granted ones, and asserts that yields and shares add up.
func (s *scene) settled(ids []string) {
	s.t.Helper()
	granted := map[string]int64{}
	for _, id := range ids {
		j := s.awaitThat(id, "given what was granted", ended, func(j api.Job) bool {
			for _, task := range j.Tasks {
				if task.State != "running" || task.CapObservedMillicores != task.ShareMillicores {
					return false
				}
			}
			return true
		})
		for _, task := range j.Tasks {
			granted[task.Node] += task.ShareMillicores
			want := float64(task.ShareMillicores) / float64(task.NeedMillicores)
			if j.Yield == nil || task.Yield != *j.Yield || task.Yield != want ||
				task.ShareMillicores != j.Tasks[0].ShareMillicores {
				s.t.Errorf("tasks differ: %s", show(j))
			}
		}
	}
	for node, sum := range granted {
		if p := s.placeOf(node); sum > int64(p.cpu) {
			s.t.Errorf("%s grants %dm of %v", node, sum, p.cpu)
		}
	}
}

func (s *scene) gauges(j api.Job) (found []*gauge) {
	s.t.Helper()
	for _, task := range j.Tasks {
		guests := s.guestsOf(j.ID, task.Index)
		if len(guests) != 1 || guests[0].node != task.Node {
			s.t.Fatalf("%s/%d is on %s, the machine shows %v", j.ID, task.Index, task.Node, guests)
		}
		g := guests[0]
		found = append(found, &gauge{
			task: fmt.Sprintf("%s/%d on %s", j.ID, task.Index, task.Node), cap: int(task.CapObservedMillicores),
			cgroups: g.vcpus(), parents: []string{g.cgroup, filepath.Dir(g.cgroup)},
		})
	}
	return found
}

// measure lets one window pass and returns the idle time of the machine in millicores.
func measure(t *testing.T, gauges []*gauge) (idle int) {
	t.Helper()
	own, above := make([]spent, len(gauges)), make([]spent, len(gauges))
	read := func(i int, sign int) {
		for _, cgroup := range gauges[i].cgroups {
			own[i] = own[i].plus(spentIn(t, cgroup), sign)
		}
		for _, cgroup := range gauges[i].parents {
			above[i] = above[i].plus(spentIn(t, cgroup), sign)
		}
	}
	idleBefore := idleTime(t)
	began := make([]time.Time, len(gauges))
	for i := range gauges {
		began[i] = time.Now()
		read(i, -1)
	}
	time.Sleep(window)
	for i, g := range gauges {
		took := time.Since(began[i])
		read(i, 1)
		g.used = append(g.used, int(1000*own[i].used/took))
		g.own, g.above = append(g.own, own[i]), append(g.above, above[i].throttled)
	}
	return int(1000 * (idleTime(t) - idleBefore) / time.Since(began[0]))
}

// judge asserts that the median equals the cap. It may be lower only if the CPU was not available: then the VM's own
// quota sufficed while the machine, or the node's quota for all VMs, withheld the missing time.
func (g *gauge) judge(t *testing.T, idle []int) {
	t.Helper()
	used := slices.Sorted(slices.Values(g.used))[windows/2]
	if used > g.cap+slack {
		t.Errorf("%s used %v, more than its cap of %d", g.task, g.used, g.cap)
	}
	if used >= g.cap-slack {
		return
	}
	for i := range g.used {
		if g.used[i] >= g.cap-slack {
			continue
		}
		missing := time.Duration(g.cap-g.used[i]) * window / 1000
		held := missing > g.unused(i)+slack*window/1000
		starved := g.above[i] >= missing || idle[i] < 100
		if held || !starved {
			t.Errorf(
				"%s used %d of its cap of %d; its quota held it back in %d of %d periods, quotas above for %v, and the machine was idle for %dm",
				g.task, g.used[i], g.cap, g.own[i].short, g.own[i].periods, g.above[i], idle[i])
		}
	}
}

// unused returns an upper bound on the time that the VM's own quota left unused in the periods in which it sufficed.
func (g *gauge) unused(i int) time.Duration {
	const period = 100 * time.Millisecond
	quota := time.Duration(g.cap) * period / 1000 / time.Duration(len(g.cgroups))
	return time.Duration(g.own[i].periods-g.own[i].short) * quota
}

func spentIn(t *testing.T, cgroup string) spent {
	t.Helper()
	s, err := spentBy(cgroup)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// idleTime returns the sum of the idle times of the machine's CPUs since boot.
func idleTime(t testing.TB) time.Duration {
	t.Helper()
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat)) // cpu user nice system idle iowait …, in hundredths of a second
	idle, err := strconv.Atoi(fields[4])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(idle) * 10 * time.Millisecond
}
