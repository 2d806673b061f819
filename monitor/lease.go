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

// WriteLease replaces the lease below the data folder, of which before is the one written last, in one step, which a loss of
// power does not tear either. Such a loss may bring an earlier lease back, but of the same cluster and leader: no VM
// outlives it, and there are no other orders to refuse.
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

// allows tells whether the lease allows the same as another one, for as long: what is behind the revision may differ.
func (l Lease) allows(o Lease) bool {
	return l.Cluster == o.Cluster && l.Until == o.Until && l.Boot == o.Boot &&
		l.Generation == o.Generation && l.Epoch == o.Epoch && slices.Equal(l.Runs, o.Runs)
}

// WriteSign replaces the fence's sign of life below the data folder in one step. It is worth nothing after a loss of
// power, and not flushed.
func WriteSign(data string, s FenceSign) error {
	return replace(filepath.Join(data, FenceFile), s, func(*os.File) error { return nil })
}

// replace writes the value under another name, settles that file and gives it its name.
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

// flush makes the names in a folder survive a loss of power.
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
	Lease *Lease `json:",omitempty"` // the last that it could read, for its next life
}

// fenceLife is how old the fence's last sign of life may be.
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
