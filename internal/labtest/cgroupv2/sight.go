package main

import (
	"errors"
	"fmt"
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

// sight is what was seen of one VM. Amounts of CPU are millicores of the whole VM.
type sight struct {
	Scene  string
	Run    string
	VCPUs  int
	Asked  cluster.CPU
	Listed cluster.CPU // as the monitor reports it
	Tier   string      // likewise
	Cgroup string      // of the VM, below the root that the node sees
	Max    []string    // cpu.max per vCPU
	Weight string      // cpu.weight
	use
}

// use is how a VM fared in each window.
type use struct {
	Used      []cluster.CPU // by cpu.stat of its vCPUs
	Sampled   []cluster.CPU // by the monitor
	Throttled []int64       // ms, by its own cap, as the monitor reports it
	Above     []int64       // ms, by limits above it, likewise
}

// measure lets the VMs run for some windows and shows how they fared.
func (n *node) measure(scene string, machines ...*monitor.Machine) error {
	uses := make([]use, len(machines))
	if _, err := n.hypervisor.Sample(n.ctx, n.of); err != nil {
		return err
	}
	for range windows {
		if err := n.watch(machines, uses); err != nil {
			return err
		}
	}
	for i, m := range machines {
		if err := n.show(scene, m, uses[i]); err != nil {
			return err
		}
	}
	return nil
}

// watch adds one window to the uses.
func (n *node) watch(machines []*monitor.Machine, uses []use) error {
	before, err := readAll(machines)
	if err != nil {
		return err
	}
	time.Sleep(window)
	after, err := readAll(machines)
	if err != nil {
		return err
	}
	samples, err := n.hypervisor.Sample(n.ctx, n.of)
	if err != nil {
		return err
	}
	for i, m := range machines {
		u := &uses[i]
		u.Used = append(u.Used, cluster.CPU(1000*(after[i].used-before[i].used)/after[i].at.Sub(before[i].at)))
		for _, s := range samples {
			if s.Run == m.VM.Run {
				u.Sampled = append(u.Sampled, s.CPU)
				u.Throttled = append(u.Throttled, s.Throttled.Milliseconds())
				u.Above = append(u.Above, s.ParentThrottled.Milliseconds())
			}
		}
	}
	return nil
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
		Cgroup: strings.TrimPrefix(dir, root), Weight: content(dir, "cpu.weight"), use: u,
	}
	for i := range m.VCPUs {
		s.Max = append(s.Max, content(dir, vcpu(i), "cpu.max"))
	}
	return n.out.Encode(s)
}

// cgroupOf finds a VM's cgroup from where the kernel has put its process.
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

// content is a small file's; what cannot be read shows as the reason.
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
		r := reading{at: time.Now()}
		for i := range m.VCPUs {
			used, err := usage(content(dir, vcpu(i), "cpu.stat"))
			if err != nil {
				return nil, err
			}
			r.used += used
		}
		all = append(all, r)
	}
	return all, nil
}

// usage reads it from the first line of cpu.stat.
func usage(stat string) (time.Duration, error) {
	var us int64
	if _, err := fmt.Sscanf(stat, "usage_usec %d", &us); err != nil {
		return 0, fmt.Errorf("no CPU usage in %q: %w", stat, err)
	}
	return time.Duration(us) * time.Microsecond, nil
}
