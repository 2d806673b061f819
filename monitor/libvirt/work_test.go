package libvirt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
)

// thread is the folder of a thread in a fake /proc.
type thread string

func (th thread) write(t *testing.T, s stint) {
	t.Helper()
	state := map[bool]string{true: "R", false: "S"}[s.runnable]
	stat := "7 (CPU 0/TCG) " + state + strings.Repeat(" 0", 18) + " 99"
	for name, content := range map[string]string{
		"schedstat": fmt.Sprintf("%d %d %d\n", s.ran, s.delayed, s.slices), "stat": stat,
	} {
		if err := os.WriteFile(filepath.Join(string(th), name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The figures are measurements of 10 seconds each, from docs/decisions/0019.
func TestAVMWaitsOnlyForWhatItsCapAllows(t *testing.T) {
	const second, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		name        string
		cap         cluster.CPU
		ran, waits  []time.Duration // by vCPU
		ran1, lost1 time.Duration   // in sum
	}{
		{"busy, alone, without a cap", 0, []time.Duration{9980 * ms}, []time.Duration{10 * ms}, 9980 * ms, 10 * ms},
		{"busy, alone, its cap throttles it", 300, []time.Duration{3 * second}, []time.Duration{7 * second}, 3 * second, 0},
		{"two busy ones, 80% each", 800, []time.Duration{5 * second}, []time.Duration{5 * second}, 5 * second, 3 * second},
		{"three busy ones, 50% each", 500, []time.Duration{3333 * ms}, []time.Duration{6667 * ms}, 3333 * ms, 1667 * ms},
		{"short bursts below the cap", 300, []time.Duration{3 * second}, []time.Duration{4 * second}, 3 * second, 0},
		{"two vCPUs, one idle", 1600, []time.Duration{5 * second, 0}, []time.Duration{5 * second, 0}, 5 * second, 5 * second},
		{"two vCPUs, one idle, its cap throttles the other", 400, []time.Duration{4 * second, 0},
			[]time.Duration{6 * second, 0}, 4 * second, 0},
		{"two busy vCPUs, their cap throttles them", 400, []time.Duration{2 * second, 2 * second},
			[]time.Duration{8 * second, 8 * second}, 4 * second, 0},
		{"two busy vCPUs, 50% each", 1600, []time.Duration{5 * second, 5 * second}, []time.Duration{5 * second, 5 * second},
			10 * second, 6 * second},
		{"idle", 500, []time.Duration{10 * ms}, []time.Duration{0}, 10 * ms, 0},
	} {
		folders, began := make([]string, len(c.ran)), time.Now()
		for i := range c.ran {
			folders[i] = t.TempDir()
			thread(folders[i]).write(t, stint{ran: second, delayed: second, slices: 100})
		}
		m, err := newMeter(Process{}, folders, c.cap, began)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.ran {
			thread(folders[i]).write(t, stint{ran: second + c.ran[i], delayed: second + c.waits[i], slices: 200})
		}
		if err := m.read(c.cap, began.Add(10*second)); err != nil {
			t.Fatal(err)
		}
		if lost := m.waited - c.lost1; m.ran != c.ran1 || lost.Abs() > ms {
			t.Errorf("%s: ran %v and waited %v, want %v and %v", c.name, m.ran, m.waited, c.ran1, c.lost1)
		}
	}
}

func TestADelayThatHasNotEndedCountsOnce(t *testing.T) {
	th, began := thread(t.TempDir()), time.Now()
	const second = time.Second
	th.write(t, stint{ran: second, slices: 5, runnable: true})
	m, err := newMeter(Process{}, []string{string(th)}, 0, began)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at     time.Duration
		now    stint
		waited time.Duration
	}{
		{5 * second, stint{ran: second, slices: 5, runnable: true}, 5 * second},
		{10 * second, stint{ran: second, slices: 5, runnable: true}, 10 * second},
		{10*second + second/2, stint{ran: second, slices: 5, runnable: true}, 10 * second}, // too soon
		{15 * second, stint{ran: 2 * second, delayed: 14 * second, slices: 6, runnable: true}, 14 * second},
		{20 * second, stint{ran: 2 * second, delayed: 14 * second, slices: 6}, 14 * second},
		{25 * second, stint{ran: 2 * second, delayed: 14 * second, slices: 6, runnable: true}, 14 * second},
	} {
		th.write(t, c.now)
		if err := m.read(0, began.Add(c.at)); err != nil || m.waited != c.waited {
			t.Errorf("after %v: waited %v, want %v (%v)", c.at, m.waited, c.waited, err)
		}
	}
}

func TestACapThatChangedBetweenTwoReadingsIsNotTakenForStarvation(t *testing.T) {
	th, began := thread(t.TempDir()), time.Now()
	th.write(t, stint{ran: 1, slices: 1})
	m, err := newMeter(Process{}, []string{string(th)}, 900, began)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.read(300, began.Add(time.Second/2)); err != nil { // lowered for a moment only
		t.Fatal(err)
	}
	th.write(t, stint{ran: 1 + 3*time.Second, delayed: 7 * time.Second, slices: 2})
	if err := m.read(900, began.Add(10*time.Second)); err != nil || m.waited != 0 {
		t.Errorf("waited %v, %v", m.waited, err)
	}
}

func TestAKernelWithoutStatisticsIsNotTakenForAnIdleGuest(t *testing.T) {
	for content, ok := range map[string]bool{"5 6 7\n": true, "0 0 1\n": true, "0 0 0\n": false, "": false, "5 6": false,
		"a b c": false} {
		if _, err := parseSchedstat([]byte(content)); (err == nil) != ok {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestThreadsOfVCPUsAreFoundInTheirCgroups(t *testing.T) {
	if _, err := findCgroups(t.TempDir()).vcpuThreads(facts{vcpus: 1, process: Process{Pid: os.Getpid()}}); err == nil {
		t.Error("a process that is no VM has threads of vCPUs")
	}
	one, two := cgroups{1, "/r"}, cgroups{2, "/r"}
	if a, b := one.threadsFile("/m/vcpu0"), two.threadsFile("/m/vcpu0"); a != "/r/cpu/m/vcpu0/tasks" ||
		b != "/r/m/vcpu0/cgroup.threads" {
		t.Error(a, b)
	}
}
