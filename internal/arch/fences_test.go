package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// unknown lists the packages that no room describes.
func (t *tree) unknown() (out []string) {
	for _, p := range t.packages {
		if _, ok := rooms[p.path]; !ok {
			out = append(out, violation(p.path,
				"not in the table of rooms: add it to internal/arch/rooms_test.go with what it may import and why"))
		}
	}
	return out
}

// trespasses lists imports of our packages that the importer's room does not allow. It ignores tests.
func (t *tree) trespasses() (out []string) {
	for _, p := range t.packages {
		r := rooms[p.path]
		for _, f := range p.files {
			if f.test {
				continue
			}
			for imported, spec := range f.imports() {
				ours, ok := strings.CutPrefix(imported, module+"/")
				if ok && !matches(r.imports, ours) {
					out = append(out, violation(t.at(spec), "%s may not import %s: %s (allowed: %s)", p.path, ours, r.why,
						list(r.imports)))
				}
			}
		}
	}
	return out
}

// unused lists imports that a room allows and does not need.
func (t *tree) unused() (out []string) {
	for _, p := range t.packages {
		for _, allowed := range rooms[p.path].imports {
			if allowed != "..." && !p.imports(allowed) {
				out = append(out, violation(p.path, "imports nothing that %s allows: narrow its room", allowed))
			}
		}
	}
	return out
}

// imports reports whether a file of the package, other than a test, imports what the pattern stands for: of a folder
// with all below it, something below it.
func (p *pkg) imports(pattern string) bool {
	below, folder := strings.CutSuffix(pattern, "/...")
	for _, f := range p.files {
		for imported := range f.imports() {
			ours, ok := strings.CutPrefix(imported, module+"/")
			if ok && !f.test && matches([]string{pattern}, ours) && !(folder && ours == below) {
				return true
			}
		}
	}
	return false
}

// escapes lists uses of a guarded library outside the rooms that hide it.
func (t *tree) escapes() (out []string) {
	for _, p := range t.packages {
		for _, f := range p.files {
			for imported, spec := range f.imports() {
				for _, g := range guards {
					if within(g.library, imported) && !matches(g.rooms, p.path) {
						out = append(out, violation(t.at(spec), "%s belongs to %s: %s", imported, list(g.rooms), g.why))
					}
				}
			}
		}
	}
	return out
}

func list(paths []string) string {
	if len(paths) == 0 {
		return "nothing"
	}
	return strings.Join(paths, ", ")
}

func TestEveryPackageHasARoom(t *testing.T) { report(t, source(t).unknown()) }

func TestRoomsImportOnlyWhatTheirRuleAllows(t *testing.T) { report(t, source(t).trespasses()) }

func TestRoomsAllowNoMoreThanTheyImport(t *testing.T) { report(t, source(t).unused()) }

func TestLibrariesStayInsideTheirRooms(t *testing.T) { report(t, source(t).escapes()) }

func TestEveryRoomIsLivedIn(t *testing.T) {
	for path := range rooms {
		if files, err := filepath.Glob(filepath.Join("../..", path, "*.go")); err != nil || len(files) == 0 {
			t.Errorf("%s has a rule and no files: %v", path, err)
		}
	}
}

func TestEveryRoomGivesItsReason(t *testing.T) {
	for path, r := range rooms {
		if r.why == "" {
			t.Errorf("%s has no reason", path)
		}
		for _, imported := range r.imports {
			if _, known := rooms[strings.TrimSuffix(imported, "/...")]; !known && imported != "..." {
				t.Errorf("%s may import %s, which is no room", path, imported)
			}
		}
	}
}

func TestCommandLineBuildsWithoutLibvirt(t *testing.T) {
	dir := root(t)
	if _, err := os.Stat(filepath.Join(dir, "cmd/aliquot")); os.IsNotExist(err) {
		t.Log("cmd/aliquot is not there yet: nothing to look at")
		return
	}
	command := exec.Command("go", "list", "-deps", "./cmd/aliquot")
	command.Dir = dir
	dependencies, err := command.Output()
	if err != nil {
		t.Fatalf("list the dependencies of cmd/aliquot: %v", err)
	}
	for dependency := range strings.Lines(string(dependencies)) {
		if strings.Contains(dependency, "libvirt") {
			t.Errorf("cmd/aliquot depends on %s", strings.TrimSpace(dependency))
		}
	}
}

func TestFencesCatchWhatTheyForbid(t *testing.T) {
	bad := parse(t, fstest.MapFS{
		"packing/packing.go": {Data: []byte("package packing\nimport \"aliquot/cluster\"\nvar _ cluster.Job\n")},
		"packing/packing_test.go": {Data: []byte(
			"package packing\nimport _ \"aliquot/policy\"\nimport _ \"libvirt.org/go/libvirt\"\n")},
		"policy/dfrs/dfrs.go": {Data: []byte("package dfrs\nimport _ \"aliquot/packing\"\n")},
		"attic/attic.go":      {Data: []byte("package attic\n")},
	})
	got := [][]string{bad.unknown(), bad.trespasses(), bad.escapes()}
	want := [][]string{
		{"attic: not in the table of rooms: add it to internal/arch/rooms_test.go with what it may import and why"},
		{"packing/packing.go:2:8: packing may not import cluster: knows vectors only: no jobs, VMs or time, so that every policy can use it (allowed: packing/linear, packing/pace, packing/radix)"},
		{"packing/packing_test.go:3:8: libvirt.org/go/libvirt belongs to monitor/libvirt: differences of QEMU, Xen and cgroups end there, and nothing else needs libvirt's headers"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

func parse(t *testing.T, files fstest.MapFS) *tree {
	t.Helper()
	tree, err := load(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
