package libvirt

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"
)

func TestTheDisksOfAVMAreForgottenWhenItHasEndedAndNotWhenItHasJustBegun(t *testing.T) {
	vm := machineXen().VM
	ds := newDisks(t.TempDir(), zerolog.Nop())
	begin := func() {
		ds.mark(vm.UUID(), true)
		for name, to := range map[string]string{"store": t.TempDir(), "folder": "runs/j7/1/2", "name": vm.Name()} {
			if err := ds.link(vm.UUID(), name, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	begun := func() { ds.mark(vm.UUID(), false) }
	for _, c := range []struct {
		name           string
		before, during func() // the listing that does not find it
		active, kept   bool
	}{
		{"being made", begin, func() {}, false, true},
		{"made during the listing", func() {}, begun, false, true},
		{"active", func() {}, func() {}, true, true},
		{"made again during the listing", func() {}, func() { begin(); begun() }, false, true},
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
