package labtest

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

// ended bounds the time that a small job may take on the busiest machine. It decides only when to give up.
const ended = 4 * time.Minute

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
	if task.Run != 2 || task.Failures != 2 || task.Losses != 0 || task.Exit == nil || task.Exit.Code == nil ||
		*task.Exit.Code != 7 {
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

func TestTaskThatFailsEndsItsSiblings(t *testing.T) {
	s := begin(t)
	id := s.submitOne(several(2, shell(`[ $ALIQUOT_TASK_INDEX = 0 ] && exec sleep 1000; exit 3`, "600m")))
	j := s.await(id, "failed", ended)
	if exit := j.Tasks[1].Exit; exit == nil || exit.Code == nil || *exit.Code != 3 {
		t.Errorf("want code 3 of task 1: %s", show(j))
	}
	if exit := j.Tasks[0].Exit; exit != nil && exit.Code != nil {
		t.Errorf("task 0 was stopped and yet has the code %d", *exit.Code)
	}
	if guests := s.guestsOf(id, 0); len(guests) != 0 {
		t.Errorf("the sibling lives on: %v", guests)
	}
}

func TestFollowedOutputComesAsItIsWrittenAndEndsWithTheRun(t *testing.T) {
	s := begin(t)
	id := s.submitOne(shell("for i in 1 2 3 4 5; do echo line $i; sleep 0.5; done; exit 4", "1"))
	s.awaitThat(id, "booted", ended, func(j api.Job) bool { return j.Tasks[0].State == "running" })
	stream, err := s.api.Logs(s.ctx, id, client.LogQuery{Follow: true})
	s.ok(err)
	defer stream.Close()
	text := bufio.NewReader(stream)
	first, err := text.ReadString('\n')
	s.ok(err)
	if j := s.job(id); j.Ended != nil {
		t.Error("the first line came only when the job had ended")
	}
	rest, err := io.ReadAll(text)
	s.ok(err)
	if got, want := first+string(rest), "line 1\nline 2\nline 3\nline 4\nline 5\n"; got != want {
		t.Errorf("followed %q, want %q", got, want)
	}
	j := s.await(id, "failed", ended)
	if exit := j.Tasks[0].Exit; exit == nil || exit.Code == nil || *exit.Code != 4 {
		t.Errorf("want code 4: %s", show(j))
	}
}

func TestJobThatRunsTooLongIsFailed(t *testing.T) {
	s := begin(t)
	spec := counting(endless, "1")
	spec.Limits = &api.Limits{Runtime: "3s"}
	id := s.submitOne(spec)
	j := s.await(id, "failed", ended)
	if !strings.Contains(j.Cause, "limit of 3 s") || j.RunningSeconds < 3 || j.RunningSeconds > 8 {
		t.Errorf("it ran for %.1f s and was ended because of %q", j.RunningSeconds, j.Cause)
	}
	if s.counted(id, 0) == 0 {
		t.Error("it wrote nothing in the time that it had")
	}
}

func TestRepeatedSubmissionIsOneJob(t *testing.T) {
	s := begin(t)
	key := "again and again"
	spec := shell("echo once", "1")
	first, err := s.api.Submit(s.ctx, spec, key)
	s.ok(err)
	again, err := s.api.Submit(s.ctx, spec, key)
	s.ok(err)
	if again.Job != first.Job || !again.Repeated || first.Repeated {
		t.Errorf("first %+v, then %+v", first, again)
	}
	if _, err := s.api.Submit(s.ctx, shell("echo twice", "1"), key); client.Code(err) != "idempotency_key_reused" {
		t.Errorf("the key for another job was answered with %v", err)
	}
	s.await(first.Job, "succeeded", ended)
	if out := s.output(first.Job, 0); out != "once\n" {
		t.Errorf("it wrote %q", out)
	}
}
