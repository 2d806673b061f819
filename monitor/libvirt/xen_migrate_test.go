package libvirt

import (
	"os"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor"
)

func TestMemoryGoesToAnAddressThatTheSourceLooksUp(t *testing.T) {
	for peer, want := range map[string]string{
		"xen+tcp://192.168.77.2/system":      "tcp://192.168.77.2",
		"xen+tcp://192.168.77.2:1234/system": "tcp://192.168.77.2",
		"xen+tcp://[fe80::1]/system":         "tcp://[fe80::1]",
	} {
		if at, err := memoryTo(t.Context(), peer); err != nil || at != want {
			t.Errorf("%s: %q, %v; want %q", peer, at, err, want)
		}
	}
}

func TestASourceWaitsForThePeerThatItSendsTo(t *testing.T) {
	vm := monitor.VM{Run: cluster.RunID{Job: 1, Number: 1}}
	f := monitor.RunFolder(t.TempDir(), vm.Run)
	if err := os.MkdirAll(string(f.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	ds := newDisks(t.TempDir(), zerolog.Nop())
	for name, to := range map[string]string{"store": f.Root(), "folder": string(f.Folder)} {
		if err := ds.link(vm.UUID(), name, to); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Expect("xen+tcp://other/system"); err != nil {
		t.Fatal(err)
	}
	h := xen{disks: ds}
	waiting := make(chan error)
	go func() { waiting <- h.awaited(t.Context(), vm, "xen+tcp://peer/system") }()
	if err := f.Expect("xen+tcp://peer/system"); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Error(err)
	}
}
