package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/monitor/libvirt"
	"aliquot/wire/join"
)

func TestTheNodeKeepsAReserveOfWhatIsFoundOut(t *testing.T) {
	for _, c := range []struct {
		name               string
		set                func(*config.Monitor)
		cores              cluster.CPU
		wantCPU            cluster.CPU
		wantMemory, memory cluster.Bytes
	}{
		{"100m on a small machine", func(*config.Monitor) {}, 2, 1900, 3584 * cluster.MiB, 4096 * cluster.MiB},
		{"2 % on a large one", func(*config.Monitor) {}, 64, 62720, 3584 * cluster.MiB, 4096 * cluster.MiB},
		{"what is configured", func(m *config.Monitor) {
			m.ReserveCPU, m.Reserve = 500, 1<<30
		}, 64, 63500, 3072 * cluster.MiB, 4096 * cluster.MiB},
		{"nothing of an explicit capacity", func(m *config.Monitor) {
			m.CPU, m.Memory = 2000, 1<<30
		}, 2, 2000, 1024 * cluster.MiB, 4096 * cluster.MiB},
	} {
		cfg := config.NewMonitor()
		c.set(cfg)
		got, err := capacity(cfg, cluster.Offer{CPU: c.cores * cluster.Core, Memory: c.memory})
		if err != nil || got.CPU != c.wantCPU || got.Memory != c.wantMemory {
			t.Errorf("%s: %v and %v, %v; want %v and %v", c.name, got.CPU, got.Memory, err, c.wantCPU, c.wantMemory)
		}
	}
	if _, err := capacity(config.NewMonitor(), cluster.Offer{CPU: cluster.Core, Memory: cluster.MiB}); err == nil ||
		!strings.Contains(err.Error(), "leaves nothing") {
		t.Errorf("a machine smaller than its reserve: %v", err)
	}
}

func TestThisMachineHasProcessorsAndMemory(t *testing.T) {
	m, err := machine(t.Context(), config.NewMonitor(), "qemu:///system")
	if err != nil || m.CPU < cluster.Core || m.Memory < cluster.MiB {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestXenIsNotAskedForWhatIsConfigured(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no xl
	cfg := config.NewMonitor()
	cfg.CPU = 2000
	for _, uri := range []string{libvirt.XenURI, "xen:///"} {
		if _, err := machine(t.Context(), cfg, uri); err == nil || !strings.Contains(err.Error(), "xen-utils") {
			t.Errorf("%s, without the memory: %v", uri, err)
		}
	}
	cfg.Memory = 1 << 30
	found, err := machine(t.Context(), cfg, libvirt.XenURI)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := capacity(cfg, found); err != nil || got.CPU != 2000 || got.Memory != 1<<30 {
		t.Errorf("%v and %v, %v", got.CPU, got.Memory, err)
	}
}

func TestAJoinTokenThatOthersCanWriteIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(join.NewToken(nil).String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := handedOver(path).token(t.Context(), "n1"); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := handedOver(path).token(t.Context(), "n1"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that all may write: %v", err)
	}
}
