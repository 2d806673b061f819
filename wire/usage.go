package wire

import (
	"fmt"
	"time"

	"aliquot/cluster"
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
	return &wirepb.Usage{Samples: mapped(samples, func(u Usage) *wirepb.Sample {
		return &wirepb.Sample{
			Run: packRun(u.Run), At: u.At.UnixMicro(), Interval: u.Interval.Microseconds(), Cpu: int64(u.CPU),
			Throttled: u.Throttled.Microseconds(), ParentThrottled: u.ParentThrottled.Microseconds(),
			Memory: int64(u.Memory), Done: int64(u.Progress.Done), Total: int64(u.Progress.Total),
		}
	})}
}

// UnpackUsage translates the message back. It fails on a message that no monitor would send.
func UnpackUsage(m *wirepb.Usage) ([]Usage, error) {
	if err := counted(len(m.GetSamples()), maxSamples, "samples"); err != nil {
		return nil, err
	}
	return checked(m.GetSamples(), unpackSample)
}

func unpackSample(m *wirepb.Sample) (Usage, error) {
	for _, n := range []int64{m.GetInterval(), m.GetCpu(), m.GetThrottled(), m.GetParentThrottled(), m.GetMemory(), m.GetDone(), m.GetTotal()} {
		if n < 0 {
			return Usage{}, fmt.Errorf("a sample with the negative number %d", n)
		}
	}
	run, err := unpackRun(m.GetRun())
	return Usage{
		Run: run, At: time.UnixMicro(m.GetAt()), Interval: micros(m.GetInterval()), CPU: min(cluster.CPU(m.GetCpu()), maxCPU),
		Throttled: micros(m.GetThrottled()), ParentThrottled: micros(m.GetParentThrottled()), Memory: min(cluster.Bytes(m.GetMemory()), maxMemory),
		Progress: Progress{Done: min(cluster.Bytes(m.GetDone()), maxMemory), Total: min(cluster.Bytes(m.GetTotal()), maxMemory)},
	}, err
}

// micros converts microseconds into a duration, at most the longest possible one.
func micros(n int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Microsecond)
	return time.Duration(min(n, most)) * time.Microsecond
}
