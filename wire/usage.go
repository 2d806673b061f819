package wire

import (
	"fmt"
	"time"

	"aliquot/cluster"
	"aliquot/internal/schema"
	"aliquot/wire/wirepb"
)

// Usage is one sample of a run's use of its node. Samples stay in the leader's memory and are never
// replicated.
type Usage struct {
	Run             cluster.RunID
	At              time.Time     // to the microsecond
	Interval        time.Duration // that the sample covers
	CPU             cluster.CPU   // mean over the interval, of the whole VM
	Throttled       time.Duration // of the interval, by the VM's own cap, summed over vCPUs
	ParentThrottled time.Duration // of the interval, by limits above the VM: the machine was short of CPU
	Memory          cluster.Bytes // resident on the node
	Progress        Progress
}

// Progress is the progress of a save or migration under way; zero: there is none.
type Progress struct {
	Done, Total cluster.Bytes
}

// Host is the use of a node's whole machine, whatever runs on it. A total of 0 means that the amount was not measured.
type Host struct {
	CPU, CPUs          cluster.CPU   // mean over the sampling interval; all that there is
	MemoryUsed, Memory cluster.Bytes // used is what cannot be had without swapping
	DiskUsed, Disk     cluster.Bytes // of the file system with the monitor's data; all is without what is kept for root
}

// PackUsage translates the samples of runs and of the host into their message.
func PackUsage(samples []Usage, host Host) *wirepb.Usage {
	return &wirepb.Usage{Host: packHost(host), Samples: schema.List(samples, func(u *Usage) *wirepb.Sample {
		return &wirepb.Sample{
			Run: packRunID(&u.Run), At: u.At.UnixMicro(), Interval: u.Interval.Microseconds(), Cpu: int64(u.CPU),
			Throttled: u.Throttled.Microseconds(), ParentThrottled: u.ParentThrottled.Microseconds(),
			Memory: int64(u.Memory), Done: int64(u.Progress.Done), Total: int64(u.Progress.Total),
		}
	})}
}

func packHost(h Host) *wirepb.Host {
	if h == (Host{}) {
		return nil
	}
	return &wirepb.Host{Cpu: int64(h.CPU), Cpus: int64(h.CPUs), MemoryUsed: int64(h.MemoryUsed), Memory: int64(h.Memory),
		DiskUsed: int64(h.DiskUsed), Disk: int64(h.Disk)}
}

// UnpackUsage translates the message back. It fails on a message that no monitor would send.
func UnpackUsage(m *wirepb.Usage) ([]Usage, Host, error) {
	if err := counted(len(m.GetSamples()), maxSamples, "samples"); err != nil {
		return nil, Host{}, fmt.Errorf("usage: %w", err)
	}
	var r schema.Reader
	samples := schema.ReadList(&r, m.GetSamples(), unpackSample)
	host := unpackHost(&r, m.GetHost())
	if err := r.Err(); err != nil {
		return nil, Host{}, fmt.Errorf("usage: %w", err)
	}
	return samples, host, nil
}

// unpackHost cuts amounts, and what is used to what there is: a node is not believed more.
func unpackHost(r *schema.Reader, m *wirepb.Host) Host {
	for _, n := range []int64{
		m.GetCpu(), m.GetCpus(), m.GetMemoryUsed(), m.GetMemory(), m.GetDiskUsed(), m.GetDisk(),
	} {
		if n < 0 {
			r.Check(fmt.Errorf("a host with the negative number %d", n))
		}
	}
	h := Host{CPUs: min(cluster.CPU(m.GetCpus()), maxCPU), Memory: min(cluster.Bytes(m.GetMemory()), maxMemory),
		Disk: min(cluster.Bytes(m.GetDisk()), maxStore)}
	h.CPU = min(cluster.CPU(m.GetCpu()), h.CPUs)
	h.MemoryUsed = min(cluster.Bytes(m.GetMemoryUsed()), h.Memory)
	h.DiskUsed = min(cluster.Bytes(m.GetDiskUsed()), h.Disk)
	return h
}

func unpackSample(r *schema.Reader, m *wirepb.Sample) Usage {
	for _, n := range []int64{
		m.GetInterval(), m.GetCpu(), m.GetThrottled(), m.GetParentThrottled(), m.GetMemory(), m.GetDone(), m.GetTotal(),
	} {
		if n < 0 {
			r.Check(fmt.Errorf("a sample with the negative number %d", n))
		}
	}
	return Usage{
		Run: unpackRunID(r, m.GetRun()), At: time.UnixMicro(m.GetAt()), Interval: micros(m.GetInterval()),
		CPU: min(cluster.CPU(m.GetCpu()), maxCPU), Memory: min(cluster.Bytes(m.GetMemory()), maxMemory),
		Throttled: micros(m.GetThrottled()), ParentThrottled: micros(m.GetParentThrottled()),
		Progress: Progress{
			Done: min(cluster.Bytes(m.GetDone()), maxMemory), Total: min(cluster.Bytes(m.GetTotal()), maxMemory),
		},
	}
}

// micros converts microseconds into a duration, at most the longest possible one.
func micros(n int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Microsecond)
	return time.Duration(min(n, most)) * time.Microsecond
}
