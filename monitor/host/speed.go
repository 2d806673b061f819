package host

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

// reference is the CPU time of the benchmark's work on the reference processor, whose speed is 1: a core of an AMD EPYC
// 9004 (Zen 4) of which a virtual machine has the whole.
const reference = 4370 * time.Microsecond

// The work of a round. Half of its time goes into each part on the reference. All of it stays in caches that belong to
// one core, so that others on the machine cannot slow it down by what they load.
const (
	steps  = 1 << 20 // of integer arithmetic
	loads  = 1 << 19 // from memory
	places = 1 << 15 // to load from, of four bytes
)

// Limits on a measurement.
const (
	enough = time.Second / 2             // of CPU time
	rounds = 5                           // at least, on a slow machine
	coarse = cluster.ReferenceSpeed / 20 // measured speeds are multiples of it
)

// SpeedFile is the name of the file that keeps the measured speed in the monitor's data folder.
const SpeedFile = "speed.json"

// kept is what the file holds. A figure of another benchmark or processor does not count.
type kept struct {
	Benchmark time.Duration // reference
	Processor string
	Speed     cluster.Speed
}

// Speed returns the speed of the machine's processors, as it was measured when it was first asked for. The figure is
// kept in the data folder, so that a node does not change its speed with each start of its monitor. A file that cannot
// be read is written anew.
func Speed(proc, data string) (cluster.Speed, error) {
	processor, err := Processor(proc)
	if err != nil {
		return 0, err
	}
	path := filepath.Join(data, SpeedFile)
	now, before := kept{Benchmark: reference, Processor: processor}, kept{}
	if content, err := os.ReadFile(path); err == nil && json.Unmarshal(content, &before) == nil {
		now.Speed = before.Speed
		if now == before && cluster.MinSpeed <= now.Speed && now.Speed <= cluster.MaxSpeed {
			return now.Speed, nil
		}
	}
	if now.Speed, err = measure(); err != nil {
		return 0, fmt.Errorf("measure the speed of this machine: %w", err)
	}
	content, err := json.Marshal(now)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		return 0, fmt.Errorf("keep the measured speed of this machine: %w", err)
	}
	return now.Speed, nil
}

// Processor returns what the kernel calls the machine's processors; "": it gives them no name.
func Processor(proc string) (string, error) {
	fs, err := procfs.NewFS(proc)
	if err != nil {
		return "", fmt.Errorf("read the name of the processors: %w", err)
	}
	cpus, err := fs.CPUInfo()
	if err != nil {
		return "", fmt.Errorf("read the name of the processors: %w", err)
	}
	if len(cpus) == 0 {
		return "", nil
	}
	return cpus[0].ModelName, nil
}

// measure runs rounds of the benchmark for about half a second of one processor's time. The best of each part counts:
// others on the machine can only slow a round down.
func measure() (cluster.Speed, error) {
	runtime.LockOSThread() // the CPU time is the thread's
	defer runtime.UnlockOSThread()
	next, x, at := ring(), uint64(1), uint32(0)
	arithmetic, memory := time.Hour, time.Hour
	began, err := cpuTime()
	for n := 0; err == nil; n++ {
		var start, middle, end time.Duration
		if start, err = cpuTime(); err != nil {
			break
		}
		x = calculate(x)
		if middle, err = cpuTime(); err != nil {
			break
		}
		at = walk(next, at)
		if end, err = cpuTime(); err != nil {
			break
		}
		arithmetic, memory = min(arithmetic, middle-start), min(memory, end-middle)
		if n+1 >= rounds && end-began >= enough {
			return speedOf(arithmetic + memory), nil
		}
	}
	return 0, err
}

// speedOf returns the speed of a processor on which the benchmark's work takes the time.
func speedOf(round time.Duration) cluster.Speed {
	exact := cluster.Speed(reference) * cluster.ReferenceSpeed / cluster.Speed(max(1, round))
	return min(max((exact+coarse/2)/coarse*coarse, cluster.MinSpeed), cluster.MaxSpeed)
}

// ring returns a walk that visits every place once, in an order that no processor foresees (Sattolo's algorithm):
// next[i] is the place after i.
func ring() []uint32 {
	next := make([]uint32, places)
	for i := range next {
		next[i] = uint32(i)
	}
	random := uint64(1)
	for i := len(next) - 1; i > 0; i-- {
		random = step(random)
		other := int(random >> 33 % uint64(i))
		next[i], next[other] = next[other], next[i]
	}
	return next
}

// calculate does the integer arithmetic of a round.
//
//go:noinline
func calculate(x uint64) uint64 {
	for range steps {
		x = step(x)
	}
	return x
}

// walk does the loads of a round, and returns the place where it ends.
//
//go:noinline
func walk(next []uint32, at uint32) uint32 {
	for range loads {
		at = next[at]
	}
	return at
}

// step is integer arithmetic that needs the result of the step before (Vigna's xorshift64*).
func step(x uint64) uint64 {
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	return x * 0x2545F4914F6CDD1D
}

// cpuTime returns the CPU time that the thread has had.
func cpuTime() (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, fmt.Errorf("read the thread's CPU time: %w", err)
	}
	return time.Duration(t.Nano()), nil
}
