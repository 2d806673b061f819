package libvirt

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

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

// leaving returns a driver from which a VM is to leave, and the folder of its run.
func leaving(t *testing.T) (xen, monitor.VM, monitor.Folder) {
	t.Helper()
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
	return xen{disks: ds, waits: &waits{ends: map[string]context.CancelFunc{}}}, vm, f
}

const peerXen = "xen+tcp://peer/system"

func TestASourceWaitsForTheMoveAndThePeerThatItSendsTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, vm, f := leaving(t)
		waiting := make(chan error, 1)
		go func() { waiting <- h.awaited(t.Context(), vm, 7, peerXen) }()
		for _, note := range []struct {
			move cluster.MoveID
			at   string
			ends bool
		}{{7, "xen+tcp://other/system", false}, {6, peerXen, false}, {7, peerXen, true}} {
			if err := f.Expect(note.move, note.at); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // of the bubble
			select {
			case err := <-waiting:
				if err != nil || !note.ends {
					t.Fatalf("it began at the note of move %d at %s: %v", note.move, note.at, err)
				}
			default:
				if note.ends {
					t.Fatal("it did not begin")
				}
			}
		}
		if h.waits.end(vm.UUID()) {
			t.Error("what has begun could be called off")
		}
	})
}

func TestASourceDoesNotWaitForeverAndItsWaitCanBeCalledOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, vm, _ := leaving(t)
		if err := h.awaited(t.Context(), vm, 7, peerXen); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nobody expects the VM: %v", err)
		}
		waiting := make(chan error, 1)
		go func() { waiting <- h.awaited(t.Context(), vm, 7, peerXen) }()
		synctest.Wait()
		if !h.waits.end(vm.UUID()) {
			t.Error("there is no wait to be called off")
		}
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("called off: %v", err)
		}
	})
}
