package upgrade

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// earlier is the last commit whose program knows no format above 2.
const earlier = "59be79b2aecd26653f0138933ae3f1c27d12b334"

// A program is a build of one source tree.
type program struct{ manager, fleet string }

// builds are the programs that take part.
type builds struct {
	old      program // of the commit earlier
	new      program // of this tree
	reworded program // of this tree, with every sentence in other words; it has no fleet
}

// build makes all programs below build/upgrade, where later runs find what has not changed.
func build(t *testing.T) builds {
	t.Helper()
	began := time.Now()
	defer func() { t.Logf("building took %v", time.Since(began).Round(time.Second)) }()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(root, "build", "upgrade")
	old := checkOut(t, root, filepath.Join(out, "source-"+earlier))
	fleet, reworded := testdata(t, "fleet/main.go"), testdata(t, "reworded/reworded.go")
	return builds{
		old:      compile(t, old, filepath.Join(out, "old"), map[string]string{"cmd/fleet/main.go": fleet}),
		new:      compile(t, root, filepath.Join(out, "new"), map[string]string{"cmd/fleet/main.go": fleet}),
		reworded: compile(t, root, filepath.Join(out, "reworded"), map[string]string{"wording/reworded.go": reworded}),
	}
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// checkOut returns a folder with the source of the earlier program.
func checkOut(t *testing.T, root, folder string) string {
	t.Helper()
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	git := func(args ...string) ([]byte, error) {
		return exec.Command("git", append([]string{"-c", "safe.directory=" + root, "-C", root}, args...)...).CombinedOutput()
	}
	if text, err := git("cat-file", "-e", earlier+"^{commit}"); err != nil {
		t.Fatalf("commit %s, with whose program the new one must work together, is not in this clone: %v %s\n"+
			"fetch the whole history: git fetch --unshallow", earlier, err, text)
	}
	part := fmt.Sprintf("%s.%d", folder, os.Getpid())
	defer os.RemoveAll(part)
	if err := os.MkdirAll(part, 0o755); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(part, "source.tar")
	if text, err := git("archive", "-o", archive, earlier); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if text, err := exec.Command("tar", "-x", "-f", archive, "-C", part).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.Rename(part, folder); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	return folder
}

// compile builds the manager in the tree, and the fleet if it is among the files that are added to the tree.
func compile(t *testing.T, tree, out string, added map[string]string) program {
	t.Helper()
	replace := map[string]string{}
	packages := []string{"./cmd/aliquotd"}
	for name, file := range added {
		replace[filepath.Join(tree, name)] = file
		if folder := filepath.Dir(name); filepath.Dir(folder) == "cmd" {
			packages = append(packages, "./"+folder)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"build", "-buildvcs=false", "-overlay", overlay, "-o", out + string(filepath.Separator)},
		packages...)
	command := exec.Command("go", args...)
	command.Dir = tree
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", tree, err, text)
	}
	return program{manager: filepath.Join(out, "aliquotd"), fleet: filepath.Join(out, "fleet")}
}
