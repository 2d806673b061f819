package wf

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/workload"
)

func document(tasks, ran string) string {
	return `{"name": "a b", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [` + tasks + `]}, "execution": {"tasks": [` + ran + `]}}}`
}

const (
	diamond = `{"id": "a", "children": ["b", "b"]}, {"id": "b"}, {"id": "c", "parents": ["a"]}, {"id": "d", "parents": ["b", "c"]}`
	ran     = `{"id": "a", "runtimeInSeconds": 10, "coreCount": 8}, {"id": "b", "runtimeInSeconds": 5.5, "memoryInBytes": 1073741824},
{"id": "c", "runtimeInSeconds": 0}`
)

func TestAWorkflowBecomesJobsThatWaitAndHasABound(t *testing.T) {
	w, err := Read(strings.NewReader(document(diamond, ran)))
	if err != nil {
		t.Fatal(err)
	}
	if b := w.Tasks[1]; w.Name != "a-b" || b.Runtime != 5500*time.Millisecond || b.Memory != 1<<30 || b.Cores != 0 {
		t.Errorf("%+v", w)
	}
	jobs, after, err := w.Stream(7, cluster.Minute, Node{16, 64 << 30})
	if err != nil {
		t.Fatal(err)
	}
	step := workload.UnitMemory / 100_000
	want := []workload.Job{
		{ID: 7, Need: workload.UnitCPU / 2, Memory: step, Runtime: 10 * cluster.Second},
		{ID: 8, Need: workload.UnitCPU / 16, Memory: step * 1563, Runtime: 5500000},
		{ID: 9, Need: workload.UnitCPU / 16, Memory: step, Runtime: 1},
		{ID: 10, Need: workload.UnitCPU / 16, Memory: step, Runtime: 1},
	}
	for i := range want {
		want[i].Submit, want[i].Tasks, want[i].User = cluster.Minute, 1, "a-b"
	}
	if diff := cmp.Diff(want, jobs) + cmp.Diff(map[int64][]int64{8: {7}, 9: {7}, 10: {8, 9}}, after); diff != "" {
		t.Error(diff)
	}
	if got := Bound(jobs, after, workload.UnitCPU); got != 15500001 {
		t.Errorf("the longest chain is %v", got)
	}
	if got := Bound(jobs, after, workload.UnitCPU/4); got != 21375000 {
		t.Errorf("the work takes %v", got)
	}
}

func TestAWorkflowThatIsWrongIsRefusedWithItsTask(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "unexpected EOF",
		`{}`: "only WfFormat 1.5",
		document(`{"id": "a", "children": ["z"]}`, ``):                    `task "a" has the child "z"`,
		document(`{"id": "a"}, {"id": "a"}`, ``):                          `task "a": has an id without letters and digits, or one`,
		document(`{"id": "-"}`, ``):                                       `task "-": has an id without letters`,
		document(`{"id": "a", "parents": ["z"]}`, ``):                     "has the parent z, which is not a task",
		document(`{"id": "a"}`, `{"id": "a", "runtimeInSeconds": -1}`):    `task "a": cores, memory and run time`,
		document(`{"id": "a"}`, `{"id": "a", "runtimeInSeconds": 1e300}`): `task "a": cores, memory and run time`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	w, _ := Read(strings.NewReader(document(`{"id": "a"}`, `{"id": "a", "coreCount": 1000}`)))
	if _, _, err := w.Stream(1, 0, Node{16, 1 << 30}); err == nil || !strings.Contains(err.Error(), "task a: cpu:") {
		t.Errorf("a task of 1000 cores on nodes of 16: %v", err)
	}
}
