package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/cluster"
)

const survey = `name: survey
tasks:
- name: report
  after: [clean, "fetch:ended"]
  job: {cpu: 100m, memory: 96Mi, command: [/bin/report]}
- name: fetch
  job: {cpu: 100m, memory: 96Mi, command: [/bin/fetch]}
- name: clean
  after: [fetch]
  job: {cpu: 100m, memory: 96Mi, command: [/bin/clean]}
`

func TestAWorkflowIsSubmittedShownDrawnCancelledAndResumed(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	file := filepath.Join(t.TempDir(), "survey.yaml")
	if err := os.WriteFile(file, []byte(survey), 0o600); err != nil {
		t.Fatal(err)
	}
	if id := strings.TrimSpace(d.ok("workflow submit " + file)); id != "w1" {
		t.Fatalf("the workflow is %s", id)
	}
	has := func(command string, wants ...string) {
		t.Helper()
		text := strings.Join(strings.Fields(d.ok(command)), " ")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", command, want, text)
			}
		}
	}
	has("workflow list", "w1 survey", "waiting 0/3 1 waiting, 2 dependent")
	has("workflow show w1", "report j3 dependent fetch:ended, clean waits for the end of j1 and of 1 other job")
	has("workflow graph w1", `digraph w1 {`, `"fetch" -> "report" [label="ended"]`)
	has("job show j3", "Workflow: w1", "After: j1:ended, j2")
	d.ok("workflow cancel w1")
	has("workflow list --state cancelled", "w1 survey", "cancelled 0/3 3 cancelled")
	if o := d.run("workflow wait w1"); o.code != exitFailed || !strings.Contains(o.out, "cancelled") {
		t.Errorf("waiting for a cancelled workflow: %+v", o)
	}
	has("workflow resume w1", "j5 clean", "j6 report")
	for line, code := range map[string]int{
		"workflow wait w1 --timeout 1ms": exitLate, "workflow wait w1 --timeout -1s": exitUsage,
	} {
		if o := d.run(line); o.code != code {
			t.Errorf("%s: %+v", line, o)
		}
	}
	id := strings.TrimSpace(d.ok("job submit --after j6 --after j4:ended --cpu 100m --memory 96Mi -- true"))
	has("job show "+id, "State: dependent", "After: j4:ended, j6")
}

func TestAWorkflowsFileThatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	d := newDesk(t)
	for text, want := range map[string]string{
		"":                                      "holds no workflow",
		"tasks: []\n---\ntasks: []":             "more than one document",
		"name: x":                               "holds no tasks",
		"tasks: [{name: a, nedds: b}]":          ":1: there is no field \"nedds\"",
		`{"schemaVersion": "1.3"}`:              "only WfFormat 1.5 is read",
		`{"schemaVersion": "1.5", "x": [`:       "yaml",
		"tasks: [{name: a, after: b, job: {}}]": ":1:",
	} {
		if o := d.typeWith(text, "workflow", "submit", "-"); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%q: %+v, want %q", text, o, want)
		}
	}
}
