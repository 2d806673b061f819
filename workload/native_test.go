package workload

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
)

const head = "id,submit,tasks,cpu,mem,runtime\n"

func TestJobsAreReadExactlyAndInOrderOfSubmission(t *testing.T) {
	got, err := Read(strings.NewReader(head + "7,10.000001,2,0.25,0.1,3600\n3,10,1,1,0.00001,0.5\n9,0,1,0.00001,1,1\n2,10,1,1.0,1,1\n"))
	want := []Job{
		{9, 0, 1, 1, UnitMemory, cluster.Second},
		{2, 10 * cluster.Second, 1, UnitCPU, UnitMemory, cluster.Second},
		{3, 10 * cluster.Second, 1, UnitCPU, 16 * cluster.MiB, cluster.Second / 2},
		{7, 10*cluster.Second + 1, 2, 25_000, 160_000 * cluster.MiB, cluster.Hour},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestWrongStreamsAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "line 1: the header must be id,submit",
		"id,submit\n":                        "line 1: the header",
		"1,0,1,1,1,1\n":                      "line 1: the header",
		head + "1,0,1,1,1\n":                 "record on line 2: wrong number of fields",
		head + "1,0,1,1,1,1,1\n":             "wrong number of fields",
		head + "\n1,0,1,1,\"1,1\n":           "line 3",
		head + "0,0,1,1,1,1\n":               `line 2: id: "0" is not a number from 1`,
		head + "x,0,1,1,1,1\n":               `line 2: id: "x"`,
		head + "1,-1,1,1,1,1\n":              `line 2: submit: "-1" is not a number from 0`,
		head + "1,0.0000001,1,1,1,1\n":       "at most 6 decimals",
		head + "1,0,0,1,1,1\n":               "tasks",
		head + "1,0,1.0,1,1,1\n":             "tasks",
		head + "1,0,10001,1,1,1\n":           "from 1 to 10000",
		head + "1,0,1,0,1,1\n":               "cpu",
		head + "1,0,1,1.00001,1,1\n":         "cpu: \"1.00001\" is not a number from 0.00001 to 1 ",
		head + "1,0,1,.5,1,1\n":              "cpu",
		head + "1,0,1,1.,1,1\n":              "cpu",
		head + "1,0,1,1e-3,1,1\n":            "cpu",
		head + "1,0,1,1,NaN,1\n":             "mem",
		head + "1,0,1,1,0.000001,1\n":        "mem",
		head + "1,0,1,1,1,0\n":               "runtime",
		head + "1,0,1,1,1,99999999999999\n":  "runtime",
		head + "1,0,1,1,1, 1\n":              "runtime",
		head + "1,0,1,1,1,1\n1,0,1,1,1,1\n":  "line 3: id 1 is also on line 2",
		head + "1,0,1,1,1,1\n\n2,0,1,1,1,\n": `line 4: runtime: ""`,
	} {
		if jobs, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, jobs, err, want)
		}
	}
}

func FuzzReadAcceptsOnlyWhatItCanSayAgain(f *testing.F) {
	f.Add([]byte(head + "1,0.5,2,0.25,0.1,3600\n"))
	f.Add([]byte(head + "2,1,1,1,1,1\n1,1,1,1,1,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		jobs, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b strings.Builder
		b.WriteString(head)
		for _, j := range jobs {
			fmt.Fprintf(&b, "%d,%d.%06d,%d,%d.%05d,%d.%05d,%d.%06d\n", j.ID, j.Submit/cluster.Second, j.Submit%cluster.Second, j.Tasks,
				j.Need/UnitCPU, j.Need%UnitCPU, j.Memory/UnitMemory, j.Memory%UnitMemory/(UnitMemory/100_000), j.Runtime/cluster.Second, j.Runtime%cluster.Second)
		}
		again, err := Read(strings.NewReader(b.String()))
		if diff := cmp.Diff(jobs, again); err != nil || diff != "" {
			t.Errorf("%v (-first +again):\n%s", err, diff)
		}
	})
}
