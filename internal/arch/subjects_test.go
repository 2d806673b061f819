package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const (
	lastFree    = "b619974" // the commits after this one have subjects that follow the rule
	longSubject = 72        // characters
)

// subjects lists "hash subject" of the commits after one commit; nothing where git does not know that commit:
// in a tarball, or in a clone that does not reach back to it.
func subjects(dir, after string) []string {
	command := exec.Command("git", "log", "--no-merges", "--format=%h %s", after+"..HEAD")
	command.Dir = dir
	lines, err := command.Output()
	if err != nil {
		return nil
	}
	return slices.Collect(strings.SplitSeq(strings.TrimSpace(string(lines)), "\n"))
}

// badSubjects lists the subjects that are too long or hold more than one clause.
func badSubjects(commits []string) (out []string) {
	for _, commit := range commits {
		hash, subject, _ := strings.Cut(commit, " ")
		if n := utf8.RuneCountInString(subject); n > longSubject {
			out = append(out, violation(hash, "a subject of %d characters (at most %d): %s", n, longSubject, subject))
		}
		if strings.Contains(subject, ";") {
			out = append(out, violation(hash, `a subject with ";": one clause, and the rest in the body: %s`, subject))
		}
	}
	return out
}

func TestSubjectsOfCommitsAreOneShortClause(t *testing.T) {
	report(t, badSubjects(subjects(root(t), lastFree)))
}

func TestSubjectsThatRambleAreCaught(t *testing.T) {
	got := badSubjects([]string{
		"1 sim bound: print skipped jobs after the proof",
		"2 " + strings.Repeat("ß", longSubject),
		"3 " + strings.Repeat("x", longSubject+1),
		"4 web: sort jobs; console: show them",
		"",
	})
	want := []string{
		"3: a subject of 73 characters (at most 72): " + strings.Repeat("x", 73),
		`4: a subject with ";": one clause, and the rest in the body: web: sort jobs; console: show them`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

func TestSubjectsAreNotReadWithoutTheHistory(t *testing.T) {
	if got := subjects(t.TempDir(), lastFree); len(got) > 0 {
		t.Errorf("%q in a folder that is no repository", got)
	}
	if got := subjects(root(t), "0000000"); len(got) > 0 {
		t.Errorf("%q after a commit that does not exist", got)
	}
}
