package workload

import (
	"bytes"
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestColumnsOfTwoTiersAreReadAndWritten(t *testing.T) {
	text := "id,submit,tasks,cpu,mem,runtime,bgrate,eff,loss\n" +
		"1,0.000000,1,1.00000,0.01000,5.000000,0.250000,,\n" +
		"2,0.000000,4,0.70000,0.01000,5.000000,,1.000000,0.040000\n" +
		"3,0.000000,4,0.70000,0.01000,5.000000,,,\n"
	jobs, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if j := jobs[1]; jobs[0].Rate != cluster.Whole/4 || j.Efficiency != cluster.Whole || j.Loss != 40_000 {
		t.Errorf("%+v", jobs)
	}
	var b bytes.Buffer
	if err := Write(&b, jobs); err != nil || !strings.HasPrefix(b.String(), text[:strings.Index(text, "\n")]) {
		t.Fatalf("%v\n%s", err, b.String())
	}
	again, err := Read(&b)
	if err != nil || len(again) != 3 || again[0] != jobs[0] || again[1] != jobs[1] || again[2] != jobs[2] {
		t.Errorf("%v %+v", err, again)
	}
}

func TestImpossibleProgressInTwoTiersIsRefusedWithTheReason(t *testing.T) {
	for values, want := range map[string]string{
		"1.5,,":    `line 2: bgrate: "1.5" is not empty or a number from 0.000001 to 1`,
		"0,,":      `line 2: bgrate: "0" is not`,
		",0,":      `line 2: eff: "0" is not`,
		",1.1,":    `line 2: eff: "1.1" is not`,
		",,1":      `line 2: loss: "1" is not empty or a number from 0 to 0.999999`,
		",,-0.1":   `line 2: loss: "-0.1" is not`,
		"0.5,0.5,": "line 2: bgrate and eff are both given",
	} {
		_, err := Read(strings.NewReader("id,submit,tasks,cpu,mem,runtime,bgrate,eff,loss\n1,0,1,1,0.1,5," + values + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", values, err, want)
		}
	}
}
