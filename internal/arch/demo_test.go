package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The demo removes its folders when it ends, with the manager's log.
func TestTheDemoNamesALogThatOutlivesIt(t *testing.T) {
	demo, err := filepath.Abs("../../scripts/demo")
	if err != nil {
		t.Fatal(err)
	}
	script := exec.Command("bash", "-euc", `
		eval "$(sed -n '/^die() {/,/^}/p; /^keep_manager() {/,/^}/p' "$1")"
		trap 'rm -r "$state"' EXIT
		state=state starts=0
		mkdir build "$state"
		echo "no room for the log" >"$state/manager.log"
		launch_manager() { starts=$((starts + 1)); echo "start $starts"; false & manager=$!; }
		launch_manager
		keep_manager`, "demo", demo)
	script.Dir = t.TempDir()
	said, err := script.CombinedOutput()
	_, log, named := strings.Cut(strings.TrimSpace(string(said)), "the manager ended at once again and again; its log is ")
	if err == nil || !named || !strings.Contains(string(said), "start 6") {
		t.Fatalf("%v, and it says %s", err, said)
	}
	if text, err := os.ReadFile(filepath.Join(script.Dir, log)); string(text) != "no room for the log\n" {
		t.Errorf("%s holds %q, %v", log, text, err)
	}
}
