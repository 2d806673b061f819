package arch

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

const largest = 1 << 20 // bytes of a tracked file; programs and images are built, not kept

// tracked lists the files of the commit with their sizes, in the form of git ls-tree --long. Outside a repository there
// is nothing to check.
func tracked(dir string) []string {
	command := exec.Command("git", "ls-tree", "-r", "--format=%(objectsize) %(path)", "HEAD")
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// large lists the files above the limit.
func large(files []string) (out []string) {
	for _, file := range files {
		size, path, _ := strings.Cut(file, " ")
		if n, err := strconv.Atoi(size); err == nil && n > largest {
			out = append(out, violation(path, "is tracked and has %s bytes (at most %d)", size, largest))
		}
	}
	return out
}

func TestNoTrackedFileIsLarge(t *testing.T) { report(t, large(tracked(root(t)))) }

func TestALargeFileIsCaught(t *testing.T) {
	if got := large([]string{"100 small.go", "35393848 aliquot"}); len(got) != 1 || !strings.Contains(got[0], "aliquot") {
		t.Errorf("caught %q", got)
	}
}
