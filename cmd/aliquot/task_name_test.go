package main

import (
	"strings"
	"testing"
)

func TestATaskIsNotTakenForItsJob(t *testing.T) {
	d := busy(t)
	for line, want := range map[string]string{
		"job show j1/0": "j1/0 is a task; its job is j1", "job timeline j1/0": "j1/0 is a task; its job is j1",
		"reservation cancel j2 j1/0": "j1/0 is a task; its job is j1",
		"job cancel j1/0":            "j1/0 is a task; its job is j1",
		"job wait j2 j1/0":           "j1/0 is a task; its job is j1",
		"top --until-done j1/0":      "j1/0 is a task; its job is j1",
		"job logs j1/0 --task 1":     "j1/0 names a task, and --task is 1: give one of them",
		"job files j1/x":             `"j1/x" is no task`, "job get j1/-1": `"j1/-1" is no task`,
	} {
		if o := d.run(line); o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%s: %+v, want %q", line, o, want)
		}
	}
}
