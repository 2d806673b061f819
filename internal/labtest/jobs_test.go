package labtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

// ended is how long a job that does little may take on a busy machine.
const ended = time.Minute

func TestEveryTaskGetsItsIndexAndEnvironmentAndBothItsOutputs(t *testing.T) {
	s := begin(t)
	spec := shell(`echo task $ALIQUOT_TASK_INDEX of $ALIQUOT_TASK_COUNT says "$WORD"; echo trouble >&2`, "600m")
	spec.Tasks, spec.Env = 2, map[string]string{"WORD": "good  morning"}
	id := s.submitOne(spec)
	j := s.await(id, "succeeded", ended)
	for i, task := range j.Tasks {
		if task.Exit == nil || task.Exit.Code == nil || *task.Exit.Code != 0 || task.Run != 1 {
			t.Errorf("task %d ended with %+v in run %d, want code 0 in run 1", i, task.Exit, task.Run)
		}
		want := fmt.Sprintf("task %d of 2 says good  morning\n", i)
		if got := s.read(id, client.LogQuery{Task: i, Stream: "stdout"}); got != want {
			t.Errorf("task %d wrote %q, want %q", i, got, want)
		}
		if got := s.read(id, client.LogQuery{Task: i, Stream: "stderr"}); got != "trouble\n" {
			t.Errorf("task %d wrote %q to its stderr", i, got)
		}
	}
}

func TestFailingTaskStartsAgainAsOftenAsItMayAndThenFailsTheJob(t *testing.T) {
	s := begin(t)
	spec := shell("echo attempt; exit 7", "1")
	spec.Restart = &api.Restart{OnFailure: 1}
	id := s.submitOne(spec)
	j := s.await(id, "failed", 2*ended)
	task := j.Tasks[0]
	if task.Run != 2 || task.Failures != 2 || task.Losses != 0 || task.Exit == nil || task.Exit.Code == nil || *task.Exit.Code != 7 {
		t.Errorf("want two runs that failed with code 7: %s", show(j))
	}
	for run := 1; run <= 2; run++ {
		if got := s.read(id, client.LogQuery{Run: run}); got != "attempt\n" {
			t.Errorf("run %d wrote %q", run, got)
		}
	}
	if !strings.Contains(j.Cause, "7") {
		t.Errorf("the cause %q does not tell the exit code", j.Cause)
	}
}
