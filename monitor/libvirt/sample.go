package libvirt

import (
	"context"
	"fmt"
	"os"
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
)

// Sample measures the cluster's VMs. Their CPU time is that of their vCPUs' cgroups, to which caps
// apply. Where those are unreadable it is libvirt's total, which includes the emulator's own work.
func (h *Hypervisor) Sample(ctx context.Context, of [16]byte) ([]monitor.Usage, error) {
	var samples []monitor.Usage
	err := h.on(ctx, func(c *libvirt.Connect) error {
		return h.driver.eachActive(c, nil, h.driver.sampled(),
			func(d *libvirt.Domain, s libvirt.DomainStats) error {
				name, id, err := identity(d)
				if err != nil {
					return err
				}
				vm, err := monitor.ParseVM(of, name, id)
				if err != nil {
					return nil
				}
				if u, ok := h.sample(d, id, s); ok {
					u.Run = vm.Run
					samples = append(samples, u)
				}
				return nil
			})
	})
	if err != nil {
		return nil, fmt.Errorf("measure domains: %w", err)
	}
	return samples, nil
}

// sample compares with the previous reading. A VM's first reading gives no sample.
func (h *Hypervisor) sample(d *libvirt.Domain, id string, s libvirt.DomainStats) (monitor.Usage, bool) {
	f, err := h.learn(d, id)
	if err != nil {
		return monitor.Usage{}, false
	}
	now := h.driver.measure(f, s)
	h.mu.Lock()
	before, known := h.last[id]
	h.last[id] = now
	h.mu.Unlock()
	u := monitor.Usage{
		At: now.at, Interval: now.at.Sub(before.at), CPU: h.config.Speed.Reference(mean(before, now)),
		Throttled: now.throttled - before.throttled, ParentThrottled: now.above - before.above,
		Memory: cluster.Bytes(f.process.memory()), Progress: h.progress(d, id),
	}
	if restoring(s.State) { // libvirt reports no progress, but the memory read so far shows it
		u.Progress = monitor.Progress{Done: u.Memory, Total: max(u.Memory, f.memory)}
	}
	return u, known && now.used >= before.used && now.throttled >= before.throttled
}

// measure reads the vCPUs' cgroups.
func (h qemu) measure(f facts, s libvirt.DomainStats) reading {
	now := reading{at: time.Now()}
	if s.Cpu != nil {
		now.used = time.Duration(s.Cpu.Time)
	}
	content, err := os.ReadFile(procFile(f.process.Pid, "cgroup"))
	if err != nil {
		return now
	}
	emulator, err := h.cgroups.emulatorPath(content)
	if err != nil {
		return now
	}
	now.above = h.cgroups.above(emulator)
	now.at = time.Now() // reading the ancestors may have taken time
	if sum, err := h.cgroups.vcpus(emulator, f.vcpus); err == nil {
		now.used, now.throttled = sum.used, sum.throttled
	}
	return now
}

// progress asks only while a job is in progress, because QEMU itself must answer. Near the job's end it may not.
func (h *Hypervisor) progress(d *libvirt.Domain, id string) monitor.Progress {
	h.mu.Lock()
	busy := h.jobs[id]
	h.mu.Unlock()
	if !busy {
		return monitor.Progress{}
	}
	job, err := d.GetJobStats(0)
	if err != nil {
		return monitor.Progress{}
	}
	return progressOf(job)
}

// progressOf counts the memory that does not remain. A live migration processes the same memory again and again.
func progressOf(job *libvirt.DomainJobInfo) monitor.Progress {
	if !job.DataTotalSet || !job.DataRemainingSet {
		return monitor.Progress{}
	}
	total := cluster.Bytes(job.DataTotal)
	return monitor.Progress{Done: max(0, total-cluster.Bytes(job.DataRemaining)), Total: total}
}
