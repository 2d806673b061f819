package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const forked = `{"name": "tiny", "schemaVersion": "1.5", "workflow": {
"specification": {"tasks": [{"id": "a"}, {"id": "b", "parents": ["a"]}, {"id": "c", "parents": ["a"]}]},
"execution": {"tasks": [{"id": "a", "runtimeInSeconds": 60}, {"id": "b", "runtimeInSeconds": 60, "coreCount": 16},
{"id": "c", "runtimeInSeconds": 60, "coreCount": 16}]}}}`

func TestWorkflowsAreSimulatedWithTheirMakespansAndBounds(t *testing.T) {
	d, dir := newDesk(t), t.TempDir()
	for _, name := range []string{"one.json", "two.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(forked), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := d.ok("sim run --nodes 1 --policy FCFS --check --no-timing --every 10m --workflows " + dir)
	for _, want := range []string{"FCFS    one.json  3      3m        2m4s   0.55 core-hours", "two.json  3      3m"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	for line, want := range map[string]string{
		"sim run --workflows " + t.TempDir():                            "no file that ends with .json",
		"sim run --workflows " + dir + " trace.csv":                     "takes no TRACE",
		"sim run --node-cores 0 --workflows " + dir:                     "--node-cores from 1 on",
		"sim run --node-cores 1 --workflows " + dir:                     "one.json: task b: cpu:",
		"sim run --nodes 1 --policy FCFS --events x --workflows " + dir: "takes no TRACE, --site or --events",
	} {
		if o := d.run(line); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: %+v, want %q", line, o, want)
		}
	}
}
