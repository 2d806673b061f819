package arch

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// typeScriptComment matches a block comment, or line comments on successive lines. It would also match the marks in a
// string if a blank precedes them.
var typeScriptComment = regexp.MustCompile(`(?m)(?:^|[\s{(])(/\*(?s:.*?)\*/|//.*(?:\n[ \t]*//.*)*)`)

// typeScriptMark matches the marks of comments at the ends of their lines.
var typeScriptMark = regexp.MustCompile(`(?m)^[ \t]*(?:/\*+|\*+/|\*|//) ?|\*/$`)

// typeScriptWords lists sentences in comments of TypeScript that break the rules of plain English.
func typeScriptWords(fsys fs.FS) (out []string, err error) {
	err = walk(fsys, func(name string) error {
		if !slices.Contains([]string{".ts", ".tsx"}, path.Ext(name)) {
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		for _, span := range typeScriptComment.FindAllSubmatchIndex(source, -1) {
			at := fmt.Sprintf("%s:%d", name, 1+strings.Count(string(source[:span[2]]), "\n"))
			text := strings.TrimSpace(typeScriptMark.ReplaceAllString(string(source[span[2]:span[3]]), ""))
			out = slices.Concat(out, pronouns(at, text), predicates(at, text))
		}
		return err
	})
	return out, err
}

func TestCommentsOfTheConsoleArePlain(t *testing.T) {
	violations, err := typeScriptWords(os.DirFS(root(t)))
	if err != nil {
		t.Fatal(err)
	}
	report(t, violations)
}

func TestRulesOfTypeScriptCatchWhatTheyForbid(t *testing.T) {
	for _, c := range []struct {
		name, text string
		broken     int
	}{
		{"a block", "/** What is left. */", 1},
		{"a later sentence of a block", "/**\n * Adds. What is left\n * stays.\n */", 1},
		{"a later paragraph of a block", "/**\n * Adds:\n *\n * Who is there.\n */", 1},
		{"lines", "  // Adds. Whose\n  // it is, nobody knows.", 1},
		{"a comment behind code", "const x = 1; // what is left", 1},
		{"a comment in braces", "{/* What is left */}", 1},
		{"says whether, on two lines", "// Says\n// whether it fits, and tells\n// whether it stays.", 1},
		{"a question", "// Who may go first?", 0},
		{"reports whether", "/** Reports whether it fits. */", 0},
		{"a string", "const x = 'What is left. https://what.is';", 0},
		{"code between comments", "// Adds.\nwhat();\n// Removes.", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := typeScriptWords(fstest.MapFS{"x.tsx": {Data: []byte(c.text + "\n")}})
			if err != nil || len(got) != c.broken {
				t.Errorf("%d violations, want %d: %q, %v", len(got), c.broken, got, err)
			}
		})
	}
}
