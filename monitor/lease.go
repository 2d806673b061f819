package monitor

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

// Lease is what the monitor writes down for the fence each time the leader renews it.
type Lease struct {
	Cluster    [16]byte
	Until      time.Duration // on CLOCK_BOOTTIME of the boot
	Boot       string
	Generation uint64
	Epoch      uint64
	Revision   uint64
	Runs       []cluster.RunID // that may run here
}

// LeaseFile and FenceFile are where monitor and fence leave word for each other, below
// the node's data folder.
const (
	LeaseFile = "lease.json"
	FenceFile = "fence.json"
)

// WriteFile replaces the file at the path in one step.
func WriteFile(path string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	next := path + ".next"
	if err := os.WriteFile(next, content, 0o644); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// ReadLease reads the lease below the data folder.
func ReadLease(data string) (Lease, error) {
	var l Lease
	content, err := os.ReadFile(filepath.Join(data, LeaseFile))
	if err == nil {
		err = json.Unmarshal(content, &l)
	}
	if err != nil {
		return Lease{}, fmt.Errorf("read the lease: %w", err)
	}
	return l, nil
}

// FenceSign is the fence's sign of life.
type FenceSign struct {
	At   time.Duration // on CLOCK_BOOTTIME
	Boot string
}

// fenceLife is how old the fence's last sign of life may be.
const fenceLife = 10 * time.Second

// fenceAlive tells whether the fence has given a sign of life lately.
func fenceAlive(data, boot string) bool {
	var sign FenceSign
	content, err := os.ReadFile(filepath.Join(data, FenceFile))
	if err != nil || json.Unmarshal(content, &sign) != nil {
		return false
	}
	return sign.Boot == boot && BootTime() < sign.At+fenceLife
}

// BootTime is the time since the machine booted, sleep included: CLOCK_BOOTTIME, on which leases are counted.
func BootTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		panic(fmt.Sprintf("monitor: read CLOCK_BOOTTIME: %v", err))
	}
	return time.Duration(t.Nano())
}

// BootID is what the kernel calls this boot of the machine.
func BootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("tell this boot from others: %w", err)
	}
	return string(id[:len(id)-1]), nil
}
