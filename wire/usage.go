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

// PackUsage translates samples into their message.
func PackUsage(samples []Usage) *wirepb.Usage {
	return &wirepb.Usage{Samples: schema.List(samples, func(u *Usage) *wirepb.Sample {
		return &wirepb.Sample{
			Run: packRunID(&u.Run), At: u.At.UnixMicro(), Interval: u.Interval.Microseconds(), Cpu: int64(u.CPU),
			Throttled: u.Throttled.Microseconds(), ParentThrottled: u.ParentThrottled.Microseconds(),
			Memory: int64(u.Memory), Done: int64(u.Progress.Done), Total: int64(u.Progress.Total),
		}
	})}
}

// UnpackUsage translates the message back. It fails on a message that no monitor would send.
func UnpackUsage(m *wirepb.Usage) ([]Usage, error) {
	var r schema.Reader
	samples := schema.ReadList(&r, m.GetSamples(), unpackSample)
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("usage: %w", err)
	}
	return samples, nil
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
		CPU: cluster.CPU(m.GetCpu()), Throttled: micros(m.GetThrottled()), ParentThrottled: micros(m.GetParentThrottled()),
		Memory:   cluster.Bytes(m.GetMemory()),
		Progress: Progress{Done: cluster.Bytes(m.GetDone()), Total: cluster.Bytes(m.GetTotal())},
	}
}

// micros converts microseconds into a duration, at most the longest possible one.
func micros(n int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Microsecond)
	return time.Duration(min(n, most)) * time.Microsecond
}
