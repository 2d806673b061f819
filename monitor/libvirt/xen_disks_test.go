package libvirt

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"aliquot/guest/protocol"
	"aliquot/monitor"
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

func TestStreamsAreCopiedWhenTheGuestHasWrittenToThem(t *testing.T) {
	vm, id := machineXen().VM, machineXen().VM.UUID()
	ds := newDisks(t.TempDir(), zerolog.Nop())
	ds.sys = t.TempDir()
	f := monitor.RunFolder(t.TempDir(), vm.Run)
	task := protocol.Task{Count: 1, Run: 1, Command: []string{"true"}}
	if err := errors.Join(f.Prepare(task), f.MakeBlocks()); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"store": f.Root(), "folder": string(f.Folder), "name": vm.Name(),
		protocol.ControlDisk: "/dev/loop1", protocol.OutputDisk: "/dev/loop2"} {
		if err := ds.link(id, name, to); err != nil {
			t.Fatal(err)
		}
	}
	written := func(device, count string) {
		stat := filepath.Join(ds.sys, device, "stat")
		err := errors.Join(os.MkdirAll(filepath.Dir(stat), 0o700), os.WriteFile(stat, []byte("9 9 9 9 "+count+" 9 9"), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	file, err := f.OpenBlocks(f.OutputDisk())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := protocol.NewBlockWriter(file)
	for _, c := range []struct {
		name           string
		writes         string // by the kernel's count, before a listing
		active, copied bool
	}{
		{"whose count is not known", "", true, true},
		{"looked at for the first time", "1", true, true},
		{"without a new write", "1", true, false},
		{"with a new write", "2", true, true},
		{"that was not looked at for long", "2", true, true},
		{"that is expected", "2", false, true},
		{"that has arrived", "2", true, true},
		{"without a new write after that", "2", true, false},
		{"that has ended", "2", false, true},
	} {
		if c.writes != "" {
			written("loop1", "7")
			written("loop2", c.writes)
		}
		switch c.name {
		case "that was not looked at for long":
			ds.copied[id] = copied{ds.copied[id].writes, time.Now().Add(-mostSkipped)}
		case "that is expected":
			ds.begin(id)
		case "that has arrived":
			ds.end(id)
		}
		before, err := os.Stat(f.Output())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte("more")); err != nil {
			t.Fatal(err)
		}
		ds.collect(vm.Cluster)(t.Context(), map[string]bool{id: c.active})
		if after, err := os.Stat(f.Output()); err != nil || (after.Size() > before.Size()) != c.copied {
			t.Errorf("a VM %s: copied: %v, %v", c.name, !c.copied, err)
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
