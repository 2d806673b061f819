package site

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/policy/hetero"
)

func TestExperienceIsReadAsItIsWritten(t *testing.T) {
	var e, again hetero.Experience
	text := small()[timesFile]
	for range 2 {
		if err := ReadExperience(strings.NewReader(text), "exec.csv", &e); err != nil {
			t.Fatal(err)
		}
	}
	var one, other strings.Builder
	if err := WriteExperience(&one, &e); err != nil {
		t.Fatal(err)
	}
	if err := ReadExperience(strings.NewReader(one.String()), "x.csv", &again); err != nil {
		t.Fatal(err)
	}
	if err := WriteExperience(&other, &again); err != nil || other.String() != one.String() {
		t.Errorf("%s, then %s", one.String(), other.String())
	}
	if !strings.HasPrefix(one.String(), "type,kind,resource,count,sum,squares\na,seq,fast,2,120,7200\n") {
		t.Error(one.String())
	}
}

func TestPoisonedExperienceIsRefusedWithItsLine(t *testing.T) {
	for want, text := range map[string]string{
		`x.csv: line 2: ticks: "-3" is not a whole number`:       "type,kind,resource,ticks\na,seq,m,-3\n",
		`x.csv: line 2: ticks: "31536000000" is not`:             "type,kind,resource,ticks\na,seq,m,31536000000\n",
		"x.csv: line 2: count is 0":                              "type,kind,resource,count,sum,squares\na,seq,m,0,0,0\n",
		"x.csv: line 2: the mean of 2 runs in -4 ms":             "type,kind,resource,count,sum,squares\na,seq,m,2,-4,8\n",
		"x.csv: line 2: squares is 1, too small":                 "type,kind,resource,count,sum,squares\na,seq,m,2,4,1\n",
		`x.csv: line 2: squares: "x" is not a whole number`:      "type,kind,resource,count,sum,squares\na,seq,m,2,4,x\n",
		"x.csv: line 1: the header must be type,kind,resource,c": "type,kind,resource\n",
	} {
		var e hetero.Experience
		if err := ReadExperience(strings.NewReader(text), "x.csv", &e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		if len(e.Pairs()) > 0 {
			t.Errorf("%q left a trace", text)
		}
	}
}

func TestExperienceOfTooManyPairsIsRefusedWithItsLine(t *testing.T) {
	var text strings.Builder
	text.WriteString("type,kind,resource,ticks\n")
	for i := range 100_001 {
		fmt.Fprintf(&text, "t%d,seq,m,5\n", i)
	}
	var e hetero.Experience
	err := ReadExperience(strings.NewReader(text.String()), "x.csv", &e)
	if err == nil || !strings.Contains(err.Error(), "x.csv: line 100002: there would be more than 100000 pairs") {
		t.Error(err)
	}
}
