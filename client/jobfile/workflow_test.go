package jobfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/web/api"
)

// instance is a file in WfFormat 1.5 with its traps: no number of cores, no run time, no memory, ids that are no names.
const instance = `{"name": "tiny run", "schemaVersion": "1.5", "workflow": {
  "specification": {"tasks": [
    {"id": "split #1", "name": "split", "parents": [], "children": ["join"]},
    {"id": "join", "name": "join", "parents": ["split #1"], "children": []}]},
  "execution": {"tasks": [
    {"id": "split #1", "runtimeInSeconds": 1.5, "coreCount": 2, "memoryInBytes": 1000, "command": {"program": "split", "arguments": ["-n", "2"]}},
    {"id": "join", "runtimeInSeconds": 0}]}}}`

func TestAWorkflowInWfFormatIsReadWithWhatItLacks(t *testing.T) {
	got, err := ReadWorkflow("file", strings.NewReader(instance), StandIn{Memory: "96Mi", Sleep: true, Image: "debian"})
	want := api.WorkflowSpec{Name: "tiny-run", Tasks: []api.WorkflowTask{
		{Name: "split-1", Job: api.JobSpec{CPU: "2", Memory: "100663296", Image: "debian", Estimate: "2s",
			Command: []string{"/bin/sleep", "1.5"}}},
		{Name: "join", After: []string{"split-1"}, Job: api.JobSpec{CPU: "1", Memory: "96Mi", Image: "debian", Estimate: "1s",
			Command: []string{"/bin/sleep", "0"}}},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	_, err = ReadWorkflow("file", strings.NewReader(instance), StandIn{Memory: "96Mi"})
	if err == nil || !strings.Contains(err.Error(), "file: task join: has no command.program; --sleep") {
		t.Errorf("without programs: %v", err)
	}
}

// FuzzWorkflowFile expects a workflow or an error for any text.
func FuzzWorkflowFile(f *testing.F) {
	for _, seed := range []string{
		instance, "tasks: [{name: a, after: [b], job: {cpu: 1}}]", "schemaVersion: &a [*a]", "[]", "1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ReadWorkflow("file", strings.NewReader(text), StandIn{})
		if err == nil && len(w.Tasks) == 0 {
			t.Error("neither tasks nor an error")
		}
	})
}
