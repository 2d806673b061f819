package host

import (
	"fmt"

	"github.com/prometheus/procfs"

	"aliquot/cluster"
	"aliquot/internal/disk"
	"aliquot/monitor"
)

// Meter measures a machine. Its methods must not be called concurrently.
type Meter struct {
	proc procfs.FS
	disk string      // a path on the file system that is measured
	last procfs.Stat // CPU times at the last sample; zero: there was none
}

// NewMeter returns a meter of the machine whose /proc is at that path, and of the file system that holds disk.
func NewMeter(proc, disk string) (*Meter, error) {
	fs, err := procfs.NewFS(proc)
	if err != nil {
		return nil, fmt.Errorf("measure this machine: %w", err)
	}
	return &Meter{proc: fs, disk: disk}, nil
}

// Sample measures the machine. Its use of CPU is the mean since the sample before; the first has none.
func (m *Meter) Sample() (monitor.Host, error) {
	var h monitor.Host
	stat, err := m.proc.Stat()
	if err != nil {
		return h, fmt.Errorf("read CPU times: %w", err)
	}
	memory, err := m.proc.Meminfo()
	if err != nil {
		return h, fmt.Errorf("read the use of memory: %w", err)
	}
	if memory.MemTotalBytes == nil || memory.MemAvailableBytes == nil {
		return h, fmt.Errorf("read the use of memory: the kernel does not report it")
	}
	space, err := disk.Measure(m.disk)
	if err != nil {
		return h, fmt.Errorf("read the use of the disk with %s: %w", m.disk, err)
	}
	if all := cluster.CPU(len(stat.CPU)) * cluster.Core; len(m.last.CPU) > 0 {
		h.CPUs, h.CPU = all, min(all, used(m.last.CPUTotal, stat.CPUTotal, all))
	}
	m.last = stat
	h.Memory = cluster.Bytes(*memory.MemTotalBytes)
	h.MemoryUsed = max(0, h.Memory-cluster.Bytes(*memory.MemAvailableBytes))
	h.DiskUsed, h.Disk = space.Used, space.Size()
	return h, nil
}

// used returns the part of all CPU that was not idle between two readings. Guests' times are part of user and nice.
func used(before, after procfs.CPUStat, all cluster.CPU) cluster.CPU {
	busy := func(s procfs.CPUStat) float64 { return s.User + s.Nice + s.System + s.IRQ + s.SoftIRQ + s.Steal }
	idle := func(s procfs.CPUStat) float64 { return s.Idle + s.Iowait }
	b, i := busy(after)-busy(before), idle(after)-idle(before)
	if b <= 0 || b+i <= 0 {
		return 0
	}
	return cluster.CPU(float64(all) * b / (b + max(0, i)))
}
