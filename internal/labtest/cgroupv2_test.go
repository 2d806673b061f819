package labtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A sight is an observation by the command cgroupv2, or by the script that runs it. CPU is in millicores of the whole
// VM, one value per window. Times are in ms.
type sight struct {
	Scene            string
	Value            string // of the whole machine
	Run              string
	Asked, Listed    int
	Tier             string
	Cgroup           string
	Max              []string
	Weight           string
	Whole            string // cpu.max of the VM
	Used, Sampled    perWindow
	Least, Most      perWindow // range that the monitor can have sampled
	Throttled, Above perWindow
}

// heldByCap reports whether a spinner of one vCPU was throttled for as long as its cap requires, so that the machine
// was not the cause.
func (s *sight) heldByCap() bool {
	const window = 2000 // ms, at least
	return s.Throttled.median() >= window*(1000-s.Asked)/1000
}

// beside returns what the background used while the foreground was not throttled. A cap of a whole CPU throttles where
// the machine's own CPU is taken away for a while, which the kernel charges to the VM that ran.
func (s *sight) beside(front sight) perWindow {
	const window = 2 // seconds, at least
	used := slices.Clone(s.Used)
	for i := range used {
		used[i] -= front.Throttled[i] / window
	}
	return used
}

// threePoints of one core is the tolerance of a cap.
const threePoints = 30

// perWindow holds one value per window of a measurement.
type perWindow []int

func (w perWindow) median() int {
	if len(w) == 0 {
		return -1
	}
	return slices.Sorted(slices.Values(w))[len(w)/2]
}

// An emulation holds all observations in the machine, and its messages for people.
type emulation struct {
	sights []sight
	said   strings.Builder
}

func (e *emulation) of(t *testing.T, scene string, count int) []sight {
	t.Helper()
	found := slices.DeleteFunc(slices.Clone(e.sights), func(s sight) bool { return s.Scene != scene })
	if len(found) != count {
		t.Fatalf("seen %d times, want %d: %q", len(found), count, scene)
	}
	return found
}

// whole returns the observation of the machine itself.
func (e *emulation) whole(t *testing.T, scene string) string {
	t.Helper()
	return e.of(t, scene, 1)[0].Value
}

// theEmulation runs once, for the first test that needs it.
var theEmulation = sync.OnceValues(emulate)

func emulated(t *testing.T) *emulation {
	t.Helper()
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Fatal("the emulated machine needs root: sudo ./scripts/test lab")
	}
	e, err := theEmulation()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// emulate runs the command cgroupv2 in a Debian 12 with systemd and cgroup v2.
func emulate() (*emulation, error) {
	folder, err := os.MkdirTemp("", "cgroupv2-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program, object, spin := filepath.Join(folder, "cgroupv2"), filepath.Join(folder, "spin.o"),
		filepath.Join(folder, "spin")
	for _, step := range [][]string{
		{"go", "build", "-o", program, "./cgroupv2"},
		{"as", "--32", "-o", object, "cgroupv2/testdata/spin.S"},
		{"ld", "-m", "elf_i386", "-N", "--no-warn-rwx-segments", "-Ttext=0x100000", "-o", spin, object},
		{"../../scripts/debian-machine", "build"},
	} {
		if out, err := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", strings.Join(step, " "), err, out)
		}
	}
	e := &emulation{}
	return e, e.watch(exec.Command("../../scripts/debian-machine", "run", "--timeout", "600",
		"--add", program, "--add", spin, "--add", "cgroupv2/inside", "--", "./inside"))
}

// watch collects the command's output, with the time of each line.
func (e *emulation) watch(command *exec.Cmd) error {
	began := time.Now()
	var complaints strings.Builder
	command.Stderr = &complaints
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintf(&e.said, "%5.1f s  %s\n", time.Since(began).Seconds(), lines.Text())
		var s sight
		if json.Unmarshal(lines.Bytes(), &s) == nil && s.Scene != "" {
			e.sights = append(e.sights, s)
		}
	}
	if err := command.Wait(); err != nil {
		return fmt.Errorf("the machine after %v: %w\n%s%s", time.Since(began), err, e.said.String(), complaints.String())
	}
	return nil
}

func TestQuotasLandInCPUMaxOfTheVCPUOrOfTheVMUnderCgroupV2(t *testing.T) {
	e := emulated(t)
	var got []string
	for _, scene := range []struct {
		name  string
		count int
	}{{"created", 3}, {"capped", 2}, {"changed and restored", 2}, {"both tiers busy", 2}, {"background alone", 1},
		{"moved and overloaded", 2}} {
		for _, s := range e.of(t, scene.name, scene.count) {
			got = append(got, fmt.Sprintf("%s: %s asked %d, listed %d %s; weight %s; %s: %s", s.Scene, s.Run, s.Asked,
				s.Listed, s.Tier, s.Weight, s.Whole, strings.Join(s.Max, ", ")))
			if !strings.HasPrefix(s.Cgroup, "/machine/qemu-") {
				t.Errorf("%s: the cgroup of %s is %s, want one below /machine", s.Scene, s.Run, s.Cgroup)
			}
		}
	}
	want := []string{
		"created: j1/0/1 asked 500, listed 500 foreground; weight 10000; 50000 100000: max 100000, max 100000",
		"created: j2/0/1 asked 100, listed 100 foreground; weight 10000; max 100000: 10000 100000",
		"created: j3/0/1 asked 300, listed 300 foreground; weight 10000; max 100000: 30000 100000",
		"capped: j2/0/1 asked 100, listed 100 foreground; weight 10000; max 100000: 10000 100000",
		"capped: j3/0/1 asked 300, listed 300 foreground; weight 10000; max 100000: 30000 100000",
		"changed and restored: j2/0/1 asked 250, listed 250 foreground; weight 10000; max 100000: 25000 100000",
		"changed and restored: j3/0/1 asked 300, listed 300 foreground; weight 10000; max 100000: 30000 100000",
		"both tiers busy: j2/0/1 asked 1000, listed 1000 foreground; weight 10000; max 100000: 100000 100000",
		"both tiers busy: j3/0/1 asked 1000, listed 1000 background; weight 2; max 100000: 100000 100000",
		"background alone: j3/0/1 asked 1000, listed 1000 background; weight 2; max 100000: 100000 100000",
		"moved and overloaded: j2/0/1 asked 500, listed 500 foreground; weight 10000; max 100000: 50000 100000",
		"moved and overloaded: j3/0/1 asked 500, listed 500 foreground; weight 10000; max 100000: 50000 100000",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("quotas and weights (-want +got):\n%s", diff)
	}
}

func TestSpinnersUseTheirCapsUnderCgroupV2(t *testing.T) {
	e := emulated(t)
	for _, s := range slices.Concat(e.of(t, "capped", 2), e.of(t, "changed and restored", 2)) {
		t.Logf("%s: %s asked %d, used %v, throttled %v ms, above %v ms", s.Scene, s.Run, s.Asked, s.Used,
			s.Throttled, s.Above)
		if s.Used.median() > s.Asked+threePoints {
			t.Errorf("%s: %s uses %d, more than its %d", s.Scene, s.Run, s.Used.median(), s.Asked)
		}
		if s.Used.median() < s.Asked-threePoints && slices.Max(s.Above) == 0 && s.heldByCap() {
			t.Errorf("%s: %s is held at %d by its cap of %d: throttled %v ms", s.Scene, s.Run, s.Used.median(), s.Asked,
				s.Throttled)
		}
		if slices.Min(s.Throttled) == 0 {
			t.Errorf("%s: %s spins under a cap, yet its throttling reads as %v ms", s.Scene, s.Run, s.Throttled)
		}
	}
}

func TestMonitorMeasuresAsTheKernelDoesUnderCgroupV2(t *testing.T) {
	for _, s := range emulated(t).sights {
		if len(s.Used) != len(s.Sampled) {
			t.Errorf("%s: %s has %d windows and %d samples", s.Scene, s.Run, len(s.Used), len(s.Sampled))
			continue
		}
		for i := range s.Sampled {
			if s.Sampled[i] < s.Least[i]-1 || s.Sampled[i] > s.Most[i]+1 { // both round down
				t.Errorf("%s: %s is sampled as using %d, by the kernel it was from %d to %d", s.Scene, s.Run, s.Sampled[i],
					s.Least[i], s.Most[i])
			}
		}
	}
}

func TestBackgroundTierYieldsToTheForegroundUnderCgroupV2(t *testing.T) {
	e := emulated(t)
	both, alone := e.of(t, "both tiers busy", 2), e.of(t, "background alone", 1)[0]
	t.Logf("on one CPU: foreground %v, throttled %v ms, background %v; background alone %v", both[0].Used,
		both[0].Throttled, both[1].Used, alone.Used)
	if front, back := both[0].Used.median(), both[1].beside(both[0]).median(); front < 10*back {
		t.Errorf("the foreground gets %d, the background %d beside it: less than ten times as much", front, back)
	}
	if alone.Used.median() < both[0].Used.median()-10*threePoints || alone.Used.median() < 500 {
		t.Errorf("the background gets %d while the foreground is frozen, which had %d before", alone.Used.median(),
			both[0].Used.median())
	}
}

func TestPretendedCapacityThrottlesAtTheParentUnderCgroupV2(t *testing.T) {
	e := emulated(t)
	if got := e.whole(t, "lab is up"); got != "60000 100000" {
		t.Errorf("cpu.max of a node of 600m is %q", got)
	}
	if got := e.whole(t, "throttled at n2"); got == "0" || got == "" {
		t.Errorf("an overloaded node was throttled %q times", got)
	}
	loaded := e.of(t, "moved and overloaded", 2)
	total := 0
	for _, s := range loaded {
		t.Logf("%s asked %d, used %v, throttled %v ms, above %v ms", s.Run, s.Asked, s.Used, s.Throttled, s.Above)
		total += s.Used.median()
		if slices.Min(s.Above) == 0 {
			t.Errorf("%s lives on an overloaded node, yet limits above it read as %v ms", s.Run, s.Above)
		}
		if s.Used.median() < 200 {
			t.Errorf("%s gets %d of a node of 600m that two share", s.Run, s.Used.median())
		}
	}
	if total > 600+threePoints {
		t.Errorf("VMs use %d of a node of 600m", total)
	}
}

func TestLabLeavesNothingBehindUnderSystemd(t *testing.T) {
	e := emulated(t)
	if left := e.whole(t, "left behind"); left != "" {
		t.Errorf("left behind: %s", left)
	}
	if system := e.whole(t, "system"); system != "running" {
		t.Errorf("systemd says %q, want running", system)
	}
	t.Log("\n" + e.said.String())
}
