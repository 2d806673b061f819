package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func traceFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.csv")
	text := "id,submit,tasks,cpu,mem,runtime\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSimulationIsSummedUp(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,1,1,0.5,60", "2,0,1,1,0.5,60", "3,30,2,0.5,0.1,60")
	var s simSummary
	if err := json.Unmarshal([]byte(d.ok("sim run --nodes 1 --policy FCFS -o json "+traceFile(t, "1,0,1,1,0.5,60", "2,0,1,1,0.5,60"))), &s); err != nil {
		t.Fatal(err)
	}
	if s.Jobs != 2 || s.MaxBoundedStretch != 2 || s.AvgBoundedStretch != 1.5 || s.Makespan != 120 || s.WallSeconds <= 0 {
		t.Errorf("%+v", s)
	}
	out := d.ok("sim run --nodes 2 " + path)
	for _, want := range []string{"jobs                    3\n", "max_bounded_stretch     1.", "preemptions_per_job     0.000\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestWrongSimulationsSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	good, bad := traceFile(t, "1,0,1,1,0.5,60"), traceFile(t, "1,0,1,2,0.5,60")
	for line, want := range map[string]outcome{
		"sim run":                         {exitUsage, "", "TRACE is missing"},
		"sim run /nowhere":                {exitUsage, "", "open the trace"},
		"sim run " + bad:                  {exitUsage, "", "line 2: cpu: \"2\" is not a number from 0.00001 to 1"},
		"sim run --nodes 0 " + good:       {exitUsage, "", "--nodes must be from 1"},
		"sim run --policy EASIER " + good: {exitUsage, "", "there is no policy \"EASIER\""},
		"sim run -o xml " + good:          {exitUsage, "", "no output format \"xml\""},
		"sim run --nodes 1 " + traceFile(t, "1,0,3,1,0.5,60"): {exitFailed, "", "at most 2 tasks"},
		"sim decide /nowhere": {exitUsage, "", "read the view"},
		"sim decide " + good:  {exitUsage, "", "trace.csv"},
	} {
		if got := d.run(line); got.code != want.code || !strings.Contains(got.err, want.err) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", line, got.code, got.err, want.code, want.err)
		}
	}
}

func TestSavedViewIsDecidedAgain(t *testing.T) {
	d := busy(t)
	var view bytes.Buffer
	if err := d.Latest().Encode(&view); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "view.state")
	if err := os.WriteFile(path, view.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	golden(t, "sim_decide.txt", d.ok("sim decide "+path))
	if o := d.typeWith(view.String(), "sim", "decide", "-", "--policy", "FCFS"); o.code != exitDone || !strings.Contains(o.out, "policy FCFS: ") {
		t.Errorf("from standard input: %+v", o)
	}
	var decided replayed
	if err := json.Unmarshal([]byte(d.ok("sim decide -o json "+path)), &decided); err != nil || len(decided.Jobs) == 0 {
		t.Errorf("%v: %+v", err, decided)
	}
}
