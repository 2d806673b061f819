package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aliquot/cluster"
)

// machine is a folder like /proc.
type machine struct {
	*testing.T
	proc string
}

func newMachine(t *testing.T) machine {
	m := machine{t, t.TempDir()}
	m.write("meminfo", "MemTotal: 1048576 kB\nMemFree: 1000 kB\nMemAvailable: 262144 kB\n")
	return m
}

func (m machine) write(name, text string) {
	m.Helper()
	if err := os.WriteFile(filepath.Join(m.proc, name), []byte(text), 0o600); err != nil {
		m.Fatal(err)
	}
}

// spend sets the CPU times of both CPUs together, in hundredths of a second.
func (m machine) spend(user, idle, steal int) {
	m.Helper()
	times := fmt.Sprintf("%d 0 0 %d 0 0 0 %d 0 0\n", user, idle, steal)
	m.write("stat", "cpu  "+times+"cpu0 "+times+"cpu1 "+times)
}

func (m machine) meter() *Meter {
	m.Helper()
	meter, err := NewMeter(m.proc, m.proc)
	if err != nil {
		m.Fatal(err)
	}
	return meter
}

func TestTheUseOfCPUIsTheMeanSinceTheSampleBefore(t *testing.T) {
	m := newMachine(t)
	meter := m.meter()
	m.spend(1000, 9000, 0)
	first, err := meter.Sample()
	if err != nil || first.CPUs != 0 {
		t.Errorf("the first sample: %+v, %v", first, err)
	}
	for _, c := range []struct {
		user, idle, steal int
		want              cluster.CPU
	}{
		{1100, 9100, 0, 1000},
		{1100, 9200, 0, 0},
		{1150, 9200, 50, 2000},
		{1100, 9100, 0, 0}, // the kernel's times may go back
	} {
		m.spend(c.user, c.idle, c.steal)
		h, err := meter.Sample()
		if err != nil || h.CPU != c.want || h.CPUs != 2000 {
			t.Errorf("%+v: %d of %d, %v", c, h.CPU, h.CPUs, err)
		}
	}
}

func TestMemoryThatCanBeHadIsNotUsed(t *testing.T) {
	m := newMachine(t)
	m.spend(1, 1, 0)
	h, err := m.meter().Sample()
	if err != nil || h.Memory != 1024*cluster.MiB || h.MemoryUsed != 768*cluster.MiB {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestTheDiskIsTheFileSystemOfThePath(t *testing.T) {
	m := newMachine(t)
	m.spend(1, 1, 0)
	h, err := m.meter().Sample()
	if err != nil || h.Disk <= 0 || h.DiskUsed < 0 || h.DiskUsed > h.Disk {
		t.Errorf("%+v, %v", h, err)
	}
	gone, err := NewMeter(m.proc, filepath.Join(m.proc, "gone"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Sample(); err == nil {
		t.Error("a disk that is not there: no error")
	}
}
