package libvirt

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"aliquot/guest/protocol"
)

func TestTheDisksOfAVMAreForgottenWhenItHasEndedAndNotWhenItHasJustBegun(t *testing.T) {
	vm := machineXen().VM
	ds := newDisks(t.TempDir(), zerolog.Nop())
	begin := func() {
		ds.begin(vm.UUID())
		for name, to := range map[string]string{"store": t.TempDir(), "folder": "runs/j7/1/2", "name": vm.Name()} {
			if err := ds.link(vm.UUID(), name, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	begun := func() { ds.end(vm.UUID()) }
	for _, c := range []struct {
		name           string
		before, during func() // the listing that does not find it
		active, kept   bool
	}{
		{"being made", begin, func() {}, false, true},
		{"made during the listing", func() {}, begun, false, true},
		{"active", func() {}, func() {}, true, true},
		{"made again during the listing", func() {}, func() { begin(); begun() }, false, true},
		{"expected again before the first time ends", func() { begin(); begin(); begun() }, func() {}, false, true},
		{"not expected any more during the listing", func() {}, begun, false, true},
		{"ended", func() {}, func() {}, false, false},
	} {
		c.before()
		collect := ds.collect(vm.Cluster)
		c.during()
		if left := collect(t.Context(), map[string]bool{vm.UUID(): c.active}); len(left) != 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
		if _, err := os.Lstat(filepath.Join(ds.root, vm.UUID(), "folder")); (err == nil) != c.kept {
			t.Errorf("%s: kept: %v", c.name, err == nil)
		}
	}
}

func TestALinkGoesWithItsDeviceAndNotWithAnEarlierOne(t *testing.T) {
	ds := newDisks(t.TempDir(), zerolog.Nop())
	open := func(name string) *os.File {
		t.Helper()
		device, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		return device
	}
	earlier, later := open("loop100001"), open("loop100002")
	for _, device := range []*os.File{earlier, later} {
		if err := ds.link("id", protocol.ControlDisk, device.Name()); err != nil {
			t.Fatal(err)
		}
	}
	ds.detach("id", earlier)
	if at := ds.target("id", protocol.ControlDisk); at != later.Name() {
		t.Errorf("after the end of an earlier call the link leads to %q", at)
	}
	ds.detach("id", later)
	if at := ds.target("id", protocol.ControlDisk); at != "" {
		t.Errorf("the link leads to a device that is free: %s", at)
	}
}

func TestALinkOfADiskThatTheVMDoesNotHaveGoes(t *testing.T) {
	ds := newDisks(t.TempDir(), zerolog.Nop())
	for _, target := range []string{protocol.OutputDisk, protocol.ResultDisk} {
		if err := ds.link("id", target, "/dev/loop100003"); err != nil {
			t.Fatal(err)
		}
	}
	ds.unlink("id", map[string]string{protocol.OutputDisk: "output.disk"})
	output, results := ds.target("id", protocol.OutputDisk), ds.target("id", protocol.ResultDisk)
	if output == "" || results != "" {
		t.Errorf("the links lead to %q and %q", output, results)
	}
}

func TestDisksOfAVMAreAttachedByOneCallAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ds := newDisks(t.TempDir(), zerolog.Nop())
		unlock, second := ds.lock("id"), make(chan bool, 1)
		go func() {
			defer ds.lock("id")()
			second <- true
		}()
		ds.lock("other")()
		if len(second) != 0 {
			t.Error("two at a time")
		}
		unlock()
		<-second
	})
}
