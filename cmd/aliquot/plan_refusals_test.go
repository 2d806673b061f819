package main

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/web/api"
)

func TestJobsThatWouldFailForOneReasonAreOneLine(t *testing.T) {
	var list []api.PlanRefusal
	for i := range 200 {
		list = append(list, api.PlanRefusal{Job: fmt.Sprint("j", i+1), Why: api.Why{Text: "it has no estimate"}})
	}
	list = append(list, api.PlanRefusal{Job: "j900", Why: api.Why{Text: "its tasks need a node each"}},
		api.PlanRefusal{Job: "j901", Why: api.Why{Text: "of its size"}},
		api.PlanRefusal{Job: "j902", Why: api.Why{Text: "of its size"}},
		api.PlanRefusal{Job: "j903", Why: api.Why{Text: "of its size"}, Later: true})
	var out strings.Builder
	planRefusals(&out, &api.Plan{Refusals: list, Cancelled: []string{"j904", "j905"}})
	want := `200 jobs (j1, j2, j3, j4, j5, j6, j7, j8 and 192 more) would fail, because they could never run: it has no estimate
j900 would fail, because it could never run: its tasks need a node each
j901, j902 would fail, because they could never run: of its size
j903 would fail when its turn comes, because it could never run: of its size
j904, j905 would be cancelled, because each of them waits for a job that would fail.
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
