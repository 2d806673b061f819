package sheet

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type inner struct {
	CPU  string   `json:"cpu"`
	Args []string `json:"args,omitempty"`
}

type row struct {
	Name  string         `json:"name"`
	At    time.Time      `json:"at"`
	Ended *time.Time     `json:"ended,omitempty"`
	Yield *float64       `json:"yield,omitempty"`
	Held  bool           `json:"held"`
	Spec  inner          `json:"spec"`
	Why   *inner         `json:"why,omitempty"`
	Count map[string]int `json:"count"`
}

type page struct {
	Total int   `json:"total"`
	Rows  []row `json:"rows"`
}

func written(t *testing.T, page any) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, page); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const heading = "name,at,ended,yield,held,spec.cpu,spec.args,why.cpu,why.args,count\n"

func TestAListHasALinePerElementAndTheColumnsOfItsJSON(t *testing.T) {
	half, at := 0.5, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	got := written(t, page{Total: 2, Rows: []row{
		{Name: "a, \"b\"", At: at, Yield: &half, Spec: inner{"500m", []string{"x", "y"}}, Count: map[string]int{"paused": 1}},
		{Name: "c", At: at, Ended: &at, Held: true, Why: &inner{CPU: "1"}},
	}})
	want := heading +
		`"a, ""b""",2026-01-02T03:04:05Z,,0.5,false,500m,"[""x"",""y""]",,,"{""paused"":1}"` + "\n" +
		"c,2026-01-02T03:04:05Z,2026-01-02T03:04:05Z,,true,,,1,,\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyListHasItsColumns(t *testing.T) {
	if got := written(t, page{}); got != heading {
		t.Errorf("%q", got)
	}
}

func TestNoTextIsAFormula(t *testing.T) {
	for text, want := range map[string]string{"": "", "plain": "plain", "=1+1": "'=1+1", "-2": "'-2",
		"@SUM(A1)": "'@SUM(A1)", "a=b": "a=b"} {
		if got := written(t, page{Rows: []row{{Name: text}}}); !strings.HasPrefix(got, heading+want+",") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestWhatHoldsNoListIsRefused(t *testing.T) {
	if err := Write(&strings.Builder{}, row{}); err == nil {
		t.Error("it was written")
	}
}

func TestAListAloneAndStructsWithoutANameAreWrittenAsInJSON(t *testing.T) {
	type flat struct {
		Job string `json:"job"`
		inner
	}
	if got := written(t, []flat{{"j1", inner{CPU: "1"}}}); got != "job,cpu,args\nj1,1,\n" {
		t.Error(got)
	}
}
