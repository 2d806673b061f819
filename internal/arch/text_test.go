package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
)

// places are folders that a text may name even if the repository lies in one of them.
var places = []string{"/", "/tmp", "/root", "/home", "/opt", "/srv", "/mnt", "/src", "/usr/src", "/usr/local/src",
	"/var/tmp", "/var/lib"}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// localPaths lists texts that name the folder of this copy of the repository, or its parent: such a text works on one
// machine only.
func localPaths(fsys fs.FS, root string) (out []string, err error) {
	forbidden := []string{root}
	if around := filepath.Dir(root); !slices.Contains(places, around) {
		forbidden = append(forbidden, around+"/")
	}
	err = walk(fsys, func(name string) error {
		text, err := fs.ReadFile(fsys, name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		for _, folder := range forbidden {
			if names(string(text), folder) {
				out = append(out, violation(name, "names %s, which exists on one machine only", folder))
				break
			}
		}
		return nil
	})
	return out, err
}

// names reports whether folder occurs in text as the start of a path and not as a part of one.
func names(text, folder string) bool {
	for {
		before, after, found := strings.Cut(text, folder)
		if !found {
			return false
		}
		last := strings.TrimRightFunc(before, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-}$*/", r)
		})
		if last != before || before == "" {
			return true
		}
		text = after
	}
}

// deadLinks lists relative links in Markdown whose target does not exist in the repository.
func deadLinks(fsys fs.FS) (out []string, err error) {
	err = walk(fsys, func(name string) error {
		if path.Ext(name) != ".md" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			target, _, _ := strings.Cut(found[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if _, err := fs.Stat(fsys, path.Join(path.Dir(name), target)); err != nil {
				out = append(out, violation(name, "links to %s, which is not there", found[1]))
			}
		}
		return err
	})
	return out, err
}

func TestTextsNameNoFolderOfThisMachine(t *testing.T) {
	dir := root(t)
	violations, err := localPaths(os.DirFS(dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	report(t, violations)
}

func TestLinksLeadSomewhere(t *testing.T) {
	violations, err := deadLinks(os.DirFS(root(t)))
	if err != nil {
		t.Fatal(err)
	}
	report(t, violations)
}

func TestHelpListsEveryTarget(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	target := regexp.MustCompile(`^[a-z-]+:([^=]|$)`)
	for line := range strings.Lines(string(text)) {
		if target.MatchString(line) && !strings.Contains(line, " ## ") {
			t.Errorf("Makefile: %q has no line of help", strings.TrimSpace(line))
		}
	}
}

func TestTextRulesCatchWhatTheyForbid(t *testing.T) {
	files := fstest.MapFS{
		"here.sh":   {Data: []byte("cd /builds/someone/aliquot")},
		"around.go": {Data: []byte("package x // see /builds/someone/notes.md")},
		"elsewhere.md": {Data: []byte(
			"/srv/builds/someone/x [b](docs/b.md) [a](docs/a.md#part) [web](https://example.org/x) [top](#top)")},
		"docs/a.md":  {Data: []byte("[up](../elsewhere.md) [out](../../x.md)")},
		"build/x.md": {Data: []byte("/builds/someone/aliquot [b](b.md)")},
	}
	local, err := localPaths(files, "/builds/someone/aliquot")
	if err != nil || len(local) != 2 {
		t.Errorf("local paths: %q, %v; want here.sh and around.go", local, err)
	}
	dead, err := deadLinks(files)
	if err != nil || len(dead) != 2 {
		t.Errorf("dead links: %q, %v; want docs/b.md and ../../x.md", dead, err)
	}
}
