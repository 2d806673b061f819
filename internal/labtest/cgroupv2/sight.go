package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/libvirt"
)

const (
	windows = 3
	window  = 2 * time.Second
	root    = "/sys/fs/cgroup"
)

// sight is the observation of one VM. CPU is in millicores of the whole VM.
type sight struct {
	Scene  string
	Run    string
	VCPUs  int
	Asked  cluster.CPU
	Listed cluster.CPU // as the monitor reports it
	Tier   string      // as the monitor reports it
	Cgroup string      // cgroup of the VM, below the root that the node sees
	Max    []string    // cpu.max per vCPU
	Whole  string      // cpu.max of the VM
	Weight string      // cpu.weight
	use
}

// use is the use of a VM in each window.
type use struct {
	Used      []cluster.CPU // from cpu.stat of its vCPUs
	Sampled   []cluster.CPU // from the monitor
	Least     []cluster.CPU // least value that the monitor can have seen, from cpu.stat before and after it read
	Most      []cluster.CPU // greatest value, likewise
	Throttled []int64       // ms, by its own cap, from the monitor
	Above     []int64       // ms, by limits above it, from the monitor
}

// measure lets the VMs run for some windows and prints their use.
func (n *node) measure(scene string, machines ...*monitor.Machine) error {
	uses := make([]use, len(machines))
	begin, err := n.look(machines)
	for range windows {
		if err != nil {
			return err
		}
		time.Sleep(window)
		var end look
		if end, err = n.look(machines); err == nil {
			for i, m := range machines {
				uses[i].add(begin, end, i, m.VM.Run)
			}
			begin = end
		}
	}
	if err != nil {
		return err
	}
	for i, m := range machines {
		if err := n.show(scene, m, uses[i]); err != nil {
			return err
		}
	}
	return nil
}

// A look is one sample by the monitor between two readings of the kernel's counters. The duration of each depends on
// the load of the machine.
type look struct {
	before, after []reading
	samples       []monitor.Usage
}

func (n *node) look(machines []*monitor.Machine) (l look, err error) {
	if l.before, err = readAll(machines); err != nil {
		return l, err
	}
	if l.samples, err = n.hypervisor.Sample(n.ctx, n.of); err != nil {
		return l, err
	}
	l.after, err = readAll(machines)
	return l, err
}

// add adds the use of machine i in the window between two looks.
func (u *use) add(begin, end look, i int, run cluster.RunID) {
	u.Used = append(u.Used, rate(begin.after[i], end.before[i], begin.after[i], end.before[i]))
	u.Least = append(u.Least, rate(begin.after[i], end.before[i], begin.before[i], end.after[i]))
	u.Most = append(u.Most, rate(begin.before[i], end.after[i], begin.after[i], end.before[i]))
	for _, s := range end.samples {
		if s.Run == run {
			u.Sampled = append(u.Sampled, s.CPU)
			u.Throttled = append(u.Throttled, s.Throttled.Milliseconds())
			u.Above = append(u.Above, s.ParentThrottled.Milliseconds())
		}
	}
}

// rate returns the CPU used from one reading to the next, divided by the time between two other readings.
func rate(used, usedEnd, at, atEnd reading) cluster.CPU {
	return cluster.CPU(1000 * (usedEnd.used - used.used) / atEnd.at.Sub(at.at))
}

func (n *node) show(scene string, m *monitor.Machine, u use) error {
	listing, err := n.hypervisor.List(n.ctx, n.of)
	if err != nil {
		return err
	}
	listed := listing.Domains[m.VM.Run]
	dir, err := cgroupOf(m)
	if err != nil {
		return err
	}
	s := sight{
		Scene: scene, Run: m.VM.Run.String(), VCPUs: m.VCPUs, Asked: m.Cap, Listed: listed.Cap, Tier: listed.Tier.String(),
		Cgroup: strings.TrimPrefix(dir, root), Weight: content(dir, "cpu.weight"),
		Whole: content(dir, "cpu.max"), use: u,
	}
	for i := range m.VCPUs {
		s.Max = append(s.Max, content(dir, vcpu(i), "cpu.max"))
	}
	return n.out.Encode(s)
}

// cgroupOf returns a VM's cgroup, found from the kernel's record of its process.
func cgroupOf(m *monitor.Machine) (string, error) {
	processes, err := libvirt.ProcessesOf(m.VM.Cluster)
	if err != nil {
		return "", err
	}
	for _, p := range processes {
		if p.UUID == m.VM.UUID() {
			where := content("/proc", strconv.Itoa(p.Pid), "cgroup")
			path, one := strings.CutPrefix(where, "0::")
			dir, found := strings.CutSuffix(path, "/emulator")
			if !one || !found {
				return "", fmt.Errorf("process %d of %s is in %q, not in an emulator's cgroup of version 2", p.Pid, p.Name, where)
			}
			return filepath.Join(root, dir), nil
		}
	}
	return "", errors.New("no process of " + m.VM.Name())
}

func vcpu(i int) string { return "vcpu" + strconv.Itoa(i) }

// content returns the text of a small file, or the error.
func content(path ...string) string {
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

type reading struct {
	at   time.Time
	used time.Duration
}

func readAll(machines []*monitor.Machine) (all []reading, err error) {
	for _, m := range machines {
		dir, err := cgroupOf(m)
		if err != nil {
			return nil, err
		}
		r, err := readPromptly(dir, m.VCPUs)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// readPromptly repeats a reading until the process was not preempted between reading the clock and the usage. After a
// limited number of attempts it returns the best.
func readPromptly(dir string, vcpus int) (best reading, err error) {
	const attempts, prompt = 20, 2 * time.Millisecond
	least := time.Duration(math.MaxInt64)
	for i := 0; i < attempts && least > prompt; i++ {
		r, err := read(dir, vcpus)
		if err != nil {
			return reading{}, err
		}
		if took := time.Since(r.at); took < least {
			best, least = r, took
		}
	}
	return best, nil
}

func read(dir string, vcpus int) (reading, error) {
	r := reading{at: time.Now()}
	for i := range vcpus {
		used, err := usage(content(dir, vcpu(i), "cpu.stat"))
		if err != nil {
			return reading{}, err
		}
		r.used += used
	}
	return r, nil
}

// usage parses the first line of cpu.stat.
func usage(stat string) (time.Duration, error) {
	var us int64
	if _, err := fmt.Sscanf(stat, "usage_usec %d", &us); err != nil {
		return 0, fmt.Errorf("no CPU usage in %q: %w", stat, err)
	}
	return time.Duration(us) * time.Microsecond, nil
}
