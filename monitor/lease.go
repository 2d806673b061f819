package monitor

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
)

// Lease is the lease file that the monitor writes for the fence each time the leader renews the lease.
type Lease struct {
	Cluster    [16]byte
	Until      time.Duration // on CLOCK_BOOTTIME of the boot
	Boot       string
	Generation uint64
	Epoch      uint64
	Revision   uint64
	Runs       []cluster.RunID // the runs that may run here
}

// LeaseFile and FenceFile are the files through which monitor and fence communicate, in the node's
// data folder.
const (
	LeaseFile = "lease.json"
	FenceFile = "fence.json"
)

// WriteLease replaces the lease in the data folder atomically, even across a power failure; before is the lease last
// written. A power failure may bring an earlier lease back, but one of the same cluster and leader. That does no harm:
// no VM survives the failure, and there are no other orders to refuse.
func WriteLease(data string, l, before Lease) error {
	path := filepath.Join(data, LeaseFile)
	anew := l.Cluster != before.Cluster || l.Generation != before.Generation || l.Epoch != before.Epoch
	if anew {
		if err := mark(data, l.Cluster); err != nil {
			return err
		}
	}
	if err := replace(path, l, (*os.File).Sync); err != nil || !anew {
		return err
	}
	if err := flush(data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// allows reports whether the lease allows the same runs as o, for as long. The revisions may differ.
func (l Lease) allows(o Lease) bool {
	return l.Cluster == o.Cluster && l.Until == o.Until && l.Boot == o.Boot &&
		l.Generation == o.Generation && l.Epoch == o.Epoch && slices.Equal(l.Runs, o.Runs)
}

// WriteSign replaces the fence's sign of life in the data folder atomically. It is not flushed, because it is worthless
// after a power failure.
func WriteSign(data string, s FenceSign) error {
	return replace(filepath.Join(data, FenceFile), s, func(*os.File) error { return nil })
}

// replace writes the value to a temporary file, settles that file and renames it to path.
func replace(path string, v any, settle func(*os.File) error) error {
	content, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	file, err := os.Create(path + ".next")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = file.Write(content)
	if err == nil {
		err = settle(file)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// flush makes the names in a folder survive a power failure.
func flush(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
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
	At    time.Duration // on CLOCK_BOOTTIME
	Boot  string
	Lease *Lease `json:",omitempty"` // the last lease that it could read, for the next fence process
}

// fenceLife is the longest age of the last sign of life from a living fence.
const fenceLife = 10 * time.Second

// ReadSign reads the fence's last sign of life below the data folder.
func ReadSign(data string) (FenceSign, error) {
	var sign FenceSign
	content, err := os.ReadFile(filepath.Join(data, FenceFile))
	if err == nil {
		err = json.Unmarshal(content, &sign)
	}
	if err != nil {
		return FenceSign{}, fmt.Errorf("read the fence's sign: %w", err)
	}
	return sign, nil
}

// BootTime returns the time since the machine booted, sleep included: CLOCK_BOOTTIME. Leases are counted on this clock.
func BootTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		panic(fmt.Sprintf("monitor: read CLOCK_BOOTTIME: %v", err))
	}
	return time.Duration(t.Nano())
}

// BootID returns the kernel's ID of this boot.
func BootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read the boot ID: %w", err)
	}
	return string(id[:len(id)-1]), nil
}
