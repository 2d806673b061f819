package main

import (
	"encoding/json"
	"strings"
	"testing"

	"aliquot/policy/market/document"
)

// provisionText runs provision plan on standard input.
func provisionText(t *testing.T, input, flags string) outcome {
	t.Helper()
	d := &desk{TB: t}
	return d.typeWith(input, append(strings.Fields("provision plan "+flags), "-")...)
}

const (
	slotted = `{"sites": 1, "slots": [[0,0,3,1], [0,0,10,2], [0,6,null,3]], "tasks": [[2,3], [1,2], [2,2]],
		"edges": [{"frm": 0, "to": 1, "transfer": 1}, [0,2,0]]}`
	queued = `{"sites": [{"P": 5, "running": [[2,2], [3,3]], "reservations": [[1,4,6]], "queue": [[2,5], [2,2]]}],
		"tasks": [[2,3]]}`
)

func TestPlansOfAWorkflowAreShownByCostAndMakespan(t *testing.T) {
	o := provisionText(t, slotted, "--method moga")
	if o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	golden(t, "provision.txt", o.out+"\n"+provisionText(t, queued, "--method greedy --alpha 0").out+"\n"+
		provisionText(t, slotted, "").out+"\n"+provisionText(t, queued, "").out)
}

func TestEqualRequestsGetEqualPlans(t *testing.T) {
	one, two := provisionText(t, slotted, "--method moga -o json"), provisionText(t, slotted, "--method moga -o json")
	var answer document.Answer
	if err := json.Unmarshal([]byte(one.out), &answer); err != nil || len(answer.Front) != 2 || one.out != two.out {
		t.Errorf("%v: %s", err, one.out)
	}
}

func TestWrongWorkflowsAreRefused(t *testing.T) {
	for _, c := range []struct {
		input, flags, want string
		code               int
	}{
		{`{"sites": 1, "tasks": [[1,-1]]}`, "", "standard input: tasks[0]: runtime: -1", exitUsage},
		{slotted, "--alpha 2", "--alpha: \"2\" is not a number from 0 to 1", exitUsage},
		{slotted, "--alpha=", "--alpha: \"\" is not a number", exitUsage},
		{slotted, "--method quick", "there is no method \"quick\": the methods are moga, greedy, sweep, best", exitUsage},
		{slotted, "--method greedy", "greedy asks sites", exitUsage},
		{strings.Replace(slotted, "[2,3]", "[9,3]", 1), "--method moga", "there is no plan", exitInfeasible},
	} {
		if o := provisionText(t, c.input, c.flags); o.code != c.code || !strings.Contains(o.err, c.want) {
			t.Errorf("%s: %+v, want %s", c.flags, o, c.want)
		}
	}
}
