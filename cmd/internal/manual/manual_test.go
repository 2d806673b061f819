package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// pages returns the manual pages of a command line with the command run, by name.
func pages(t *testing.T, long, notes string) map[string]string {
	t.Helper()
	root := &cobra.Command{Use: "tool", Short: "Do things", Long: "All about the tool."}
	root.AddCommand(Command("8", notes), &cobra.Command{Use: "run", Short: "Run it", Long: long, Run: func(*cobra.Command,
		[]string) {
	}})
	folder := filepath.Join(t.TempDir(), "man")
	root.SetArgs([]string{"man", folder})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name()] = string(text)
	}
	return found
}

func TestEveryCommandThatHelpListsHasAPage(t *testing.T) {
	found := pages(t, "Run it.", "")
	for name, want := range map[string]bool{"tool.8": true, "tool-run.8": true, "tool-man.8": false} {
		if _, ok := found[name]; ok != want {
			t.Errorf("%s exists: %v", name, ok)
		}
	}
}

func TestNotesStandOnTheFirstPageLineByLine(t *testing.T) {
	found := pages(t, "Run it.", "\nCodes: 0 done\n1 failed\n")
	if !strings.Contains(found["tool.8"], "Codes: 0 done\n1 failed\n") || strings.Contains(found["tool-run.8"], "Codes") {
		t.Errorf("the pages are %q", found)
	}
}

func TestHelpIsPrintedAsItIs(t *testing.T) {
	page := pages(t, "All of 'task_*', /per_*, <b> and [x](y):\n\n  run *this*\n  and [that]\n", "")["tool-run.8"]
	for _, want := range []string{"'task_*', /per_*, <b> and [x](y):", "run *this*\nand [that]\n"} {
		if !strings.Contains(strings.ReplaceAll(page, `\&`, ""), want) {
			t.Errorf("%q is not in %q", want, page)
		}
	}
}
