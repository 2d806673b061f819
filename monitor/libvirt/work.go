package libvirt

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"aliquot/cluster"
)

// leastSpan is the least time between two readings of a VM. The kernel updates a thread's CPU time at ticks, and a busy
// processor may have only one tick per second.
const leastSpan = time.Second

// stint holds the kernel's counters of a thread since it began.
type stint struct {
	ran      time.Duration
	delayed  time.Duration // runnable without running, including the time in which a quota kept it from running
	slices   uint64        // number of times that it was put on a processor
	runnable bool          // now
}

// meter measures the work of one VM since it was made.
type meter struct {
	process Process
	threads []string // folders in /proc, by vCPU
	cap     cluster.CPU
	at      time.Time
	last    []stint         // by vCPU
	ahead   []time.Duration // by vCPU: waiting already counted here that the kernel adds to delayed when it ends
	ran     time.Duration
	waited  time.Duration
}

// meters holds the meters of the VMs on the node.
type meters struct {
	mu   sync.Mutex
	byID map[string]*meter // by UUID
	warn sync.Once
}

func (ms *meters) forget(id string) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	delete(ms.byID, id)
}

// work returns nil where the kernel has no counters.
func (h qemu) work(id string, f facts, cap cluster.CPU) *cluster.Work {
	ms := &h.meters
	ms.mu.Lock()
	defer ms.mu.Unlock()
	m := ms.byID[id]
	if m == nil || m.process != f.process {
		threads, err := h.cgroups.vcpuThreads(f)
		if err == nil {
			m, err = newMeter(f.process, threads, cap, time.Now())
		}
		if err != nil {
			ms.warn.Do(func() {
				h.config.Log.Warn().Err(err).Msg(
					"cannot observe how long vCPUs wait for a processor; their progress is taken from their caps")
			})
			return nil
		}
		ms.byID[id] = m
	}
	if m.read(cap, time.Now()) != nil {
		return nil // the VM is about to end
	}
	return &cluster.Work{Ran: cluster.Time(m.ran.Microseconds()), Waited: cluster.Time(m.waited.Microseconds())}
}

func newMeter(process Process, threads []string, cap cluster.CPU, now time.Time) (*meter, error) {
	m := &meter{process: process, threads: threads, cap: cap, at: now, ahead: make([]time.Duration, len(threads))}
	var err error
	m.last, err = m.stints()
	return m, err
}

func (m *meter) stints() ([]stint, error) {
	all := make([]stint, len(m.threads))
	for i, thread := range m.threads {
		var err error
		if all[i], err = readStint(thread); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// read adds the time since the last reading. The least cap seen in that time counts for all of it.
func (m *meter) read(cap cluster.CPU, now time.Time) error {
	least := lesser(m.cap, cap)
	span := now.Sub(m.at)
	if span < leastSpan {
		m.cap = least
		return nil
	}
	all, err := m.stints()
	if err != nil {
		return err
	}
	var ran, wanted time.Duration
	for i, now := range all {
		r, delayed := m.passed(i, now, span)
		ran += r
		wanted += r + delayed
	}
	m.ran += ran
	m.waited += max(0, time.Duration(allowed(least, wanted, span)*float64(wanted))-ran)
	m.last, m.at, m.cap = all, now, cap
	return nil
}

// allowed returns the part of the time in which vCPUs wanted to run that their cap allows. One alone may have all of
// the cap, up to a core; several share it.
func allowed(cap cluster.CPU, wanted, span time.Duration) float64 {
	if cap == 0 {
		return 1
	}
	busy := max(1, float64(wanted)/float64(span)) // how many at once, on average
	return min(1, float64(cap)/float64(cluster.Core)/busy)
}

// lesser returns the smaller of two caps, where 0 means no cap.
func lesser(a, b cluster.CPU) cluster.CPU {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// passed returns for how long a vCPU ran and was delayed since the last reading. The kernel adds a delay only when it
// ends. A runnable thread that was on no processor since the last reading was delayed for the whole span.
func (m *meter) passed(vcpu int, now stint, span time.Duration) (ran, delayed time.Duration) {
	last, ahead := m.last[vcpu], &m.ahead[vcpu]
	if last.runnable && now.runnable && now.slices == last.slices && now.ran == last.ran {
		*ahead += span
		return 0, span
	}
	counted := now.delayed - last.delayed
	if now.slices != last.slices {
		delayed, *ahead = counted-*ahead, 0
	}
	return max(0, now.ran-last.ran), max(0, delayed)
}

// readStint reads the kernel's counters of the thread with the given folder in /proc.
func readStint(thread string) (stint, error) {
	content, err := os.ReadFile(filepath.Join(thread, "schedstat"))
	if err != nil {
		return stint{}, fmt.Errorf("read how long a vCPU waits: %w", err)
	}
	s, err := parseSchedstat(content)
	if err != nil {
		return stint{}, err
	}
	if content, err = os.ReadFile(filepath.Join(thread, "stat")); err != nil {
		return stint{}, fmt.Errorf("read the state of a vCPU: %w", err)
	}
	now, err := parseStat(content)
	s.runnable = now.state == 'R'
	return s, err
}

// parseSchedstat parses /proc/PID/task/TID/schedstat. A kernel without these counters shows only zeros.
func parseSchedstat(content []byte) (stint, error) {
	var ran, delayed int64
	var s stint
	if n, err := fmt.Sscan(string(content), &ran, &delayed, &s.slices); n != 3 {
		return stint{}, fmt.Errorf("%q is not a line of scheduler statistics: %w", content, err)
	}
	if s.slices == 0 && ran == 0 && delayed == 0 {
		return stint{}, fmt.Errorf("the kernel keeps no scheduler statistics")
	}
	s.ran, s.delayed = time.Duration(ran), time.Duration(delayed)
	return s, nil
}

// vcpuThreads finds the threads of the VM's vCPUs through their cgroups.
func (c cgroups) vcpuThreads(f facts) ([]string, error) {
	content, err := os.ReadFile(procFile(f.process.Pid, "cgroup"))
	if err != nil {
		return nil, fmt.Errorf("find the cgroup of a VM: %w", err)
	}
	emulator, err := c.emulatorPath(content)
	if err != nil {
		return nil, err
	}
	threads := make([]string, f.vcpus)
	for i := range threads {
		content, err := os.ReadFile(c.threadsFile(path.Join(path.Dir(emulator), "vcpu"+strconv.Itoa(i))))
		if err != nil {
			return nil, fmt.Errorf("find the thread of a vCPU: %w", err)
		}
		tid, err := strconv.Atoi(string(bytes.TrimSpace(content)))
		if err != nil {
			return nil, fmt.Errorf("find the thread of a vCPU: %w", err)
		}
		threads[i] = procFile(f.process.Pid, filepath.Join("task", strconv.Itoa(tid)))
	}
	return threads, nil
}

// threadsFile returns the file that lists the threads of a cgroup.
func (c cgroups) threadsFile(at string) string {
	if c.version == 2 {
		return filepath.Join(c.root, at, "cgroup.threads")
	}
	return filepath.Join(c.root, "cpu", at, "tasks")
}
