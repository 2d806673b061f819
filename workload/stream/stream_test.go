package stream

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/workload"
)

const native = "id,submit,tasks,cpu,mem,runtime\n7,0,2,0.5,0.1,60\n"

// log holds one job of four processors that ran for 60 s.
const log = "; MaxNodes: 2\n; MaxProcs: 8\n1 0 0 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n"

func TestTheFirstCharacterTellsALogFromAStream(t *testing.T) {
	for text, isLog := range map[string]bool{native: false, log: true, "\n 1 0 0": true, "": false} {
		got, err := Open("file", strings.NewReader(text))
		if err != nil || got.IsLog != isLog {
			t.Errorf("%q is a log: %v (%v)", text, got.IsLog, err)
		}
	}
}

func TestALogsHeaderSuppliesMissingRules(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		need  cluster.CPU
	}{{Rules{Name: "generic"}, workload.UnitCPU / 4}, {Rules{Name: "generic", Cores: 8}, workload.UnitCPU / 8}} {
		text, err := Open("file", strings.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		s, err := text.Stream(c.rules)
		if err != nil || len(s.Jobs) != 1 || s.Tally == nil || s.Jobs[0].Need != c.need {
			t.Errorf("%+v: %+v (%v), want a need of %v", c.rules, s, err, c.need)
		}
	}
}

func TestErrorsOfReadingALogDifferFromErrorsOfWriting(t *testing.T) {
	text, err := Open("file", strings.NewReader(log+"what is this\n"))
	if err != nil {
		t.Fatal(err)
	}
	unreadable := Unreadable{}
	if err := text.CopyLog(new(bytes.Buffer)); !errors.As(err, &unreadable) || !strings.HasPrefix(err.Error(), "file: ") {
		t.Errorf("a bad record: %v", err)
	}
}

func TestStreamsGoWhereTheirNamesSay(t *testing.T) {
	folder := t.TempDir()
	there := filepath.Join(folder, "there.csv")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		names []string
		want  string // part of the error; "": none
	}{
		{"", []string{"a"}, ""},
		{"", []string{"a", "b"}, "2 streams need a folder: say --out DIR"},
		{folder, []string{"a", "b"}, ""},
		{filepath.Join(folder, "new.csv"), []string{"a", "b"}, "is the name of a file"},
		{filepath.Join(folder, "new.txt"), []string{"a"}, "ends in .csv or .csv.gz"},
		{there, []string{"a"}, "there.csv"},
	} {
		_, err := Place{Path: c.path}.Sink(new(bytes.Buffer), c.names)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v into %q: %v, want %q", c.names, c.path, err, c.want)
		}
	}
	s, err := Place{Path: folder}.Sink(nil, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := workload.Read(strings.NewReader(native))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Written{{filepath.Join(folder, "a.csv"), 1}}, s.Written); diff != "" {
		t.Error(diff)
	}
}

func TestStreamsHaveNamesThatSortAsTheyAre(t *testing.T) {
	got := []string{Stem("weeks/HPC2N.swf.gz"), Stem("-"), Numbered("week", 7, 52), Numbered("", 7, 10_001)}
	got = append(got, LoadNames("a", []float64{0.1, 1})...)
	got = append(got, SegmentNames("day", []workload.Segment{{Number: 2}, {Number: 11}})...)
	want := []string{"HPC2N", "stream", "week007", "00007", "a-load0.1", "a-load1", "day002", "day011"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if length, name, err := ParseLength("36h"); length != 36*cluster.Hour || name != "part" || err != nil {
		t.Errorf("%v %q %v", length, name, err)
	}
	if _, _, err := ParseLength("1ms"); err == nil {
		t.Error("a segment of a millisecond")
	}
}
