package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestLinesOfATableEndWhereTheTerminalDoes(t *testing.T) {
	for columns, want := range map[int]string{
		0: "JOB  WHY\nj1   waits für memory\n", 12: "JOB  WHY\nj1   waits …\n", 80: "JOB  WHY\nj1   waits für memory\n",
	} {
		var out strings.Builder
		narrow(&out, columns, func(w io.Writer) { fmt.Fprint(w, "JOB  WHY\nj1   waits für memory\n") })
		if out.String() != want {
			t.Errorf("%d columns: %q", columns, out.String())
		}
	}
}

func TestEveryListIsPrintedAsCSVWithALinePerElement(t *testing.T) {
	d := busy(t)
	runs := textFile(t, "runs.csv", "type,kind,resource,ticks\na,seq,m,5\na,par,c,5\n")
	lists := map[string]int{
		"job list": 4, "jobs --all": 5, "node list": 2, "node invitations": 0, "node strays": 0, "manager list": 2,
		"policy list": -1, "session list": 0, "token list": 5, "image list": 1, "quota list": -1, "usage": -1,
		"audit": -1, "events --limit 7": 7, "reservation list": 0, "offer list": 0, "workflow list": 0, "speed list": 0,
		"experience list " + runs: 2,
	}
	for line, elements := range lists {
		rows, err := csv.NewReader(strings.NewReader(d.ok(line + " -o csv"))).ReadAll()
		switch {
		case err != nil:
			t.Errorf("%s: %v", line, err)
		case len(rows) == 0 || elements >= 0 && len(rows)-1 != elements:
			t.Errorf("%s has %d lines, want a heading and %d: %v", line, len(rows), elements, rows)
		}
	}
	isList := func(c *cobra.Command) bool { return c.Name() == "list" }
	tried := " " + strings.Join(slices.Collect(maps.Keys(lists)), " ")
	for _, group := range (&app{}).root().Commands() {
		if slices.ContainsFunc(group.Commands(), isList) && !strings.Contains(tried, " "+group.Name()+" list") {
			t.Errorf("%s list is not tried", group.Name())
		}
	}
	out := d.ok("job list --state running -o csv")
	heading := "id,name,owner,project,state,workflow,spec.name,"
	if !strings.HasPrefix(out, heading) || !strings.Contains(out, "\nj1,render,") {
		t.Errorf("the columns are not those of the JSON:\n%s", out)
	}
}

func TestWhatIsNoListIsNotDoneForCSV(t *testing.T) {
	d := newDesk(t)
	for _, line := range []string{"job submit --cpu 1 --memory 64Mi -o csv -- true", "overview -o csv", "events -f -o csv",
		"audit -f -o csv", "version -o csv"} {
		if o := d.run(line); o.code != exitUsage || !strings.Contains(o.err, "json") {
			t.Errorf("%s: %+v", line, o)
		}
	}
	if out := d.ok("jobs --all -o json"); !strings.Contains(out, `"total": 0`) {
		t.Errorf("something was submitted:\n%s", out)
	}
}
