package workload

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
)

func TestEventsAreReadInTheOrderOfTheirTimes(t *testing.T) {
	got, err := ReadEvents(strings.NewReader("time,event,target,value\n" +
		"20,fail,n1,\n10.5,speed,n2,0.25\n20,cancel,7,\n20,hold,0,\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Event{
		{At: 10_500_000, Kind: NodeSpeeds, Node: "n2", Speed: cluster.Whole / 4, Line: 3},
		{At: 20 * cluster.Second, Kind: NodeFails, Node: "n1", Line: 2},
		{At: 20 * cluster.Second, Kind: JobCancels, Job: 7, Line: 4},
		{At: 20 * cluster.Second, Kind: JobHeld, Line: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumnsOfEventsMayStandInAnyOrderAndWithoutValues(t *testing.T) {
	got, err := ReadEvents(strings.NewReader("\ufefftarget,time,event\nn1,1,drain\n"))
	if err != nil || len(got) != 1 || got[0].Node != "n1" || got[0].At != cluster.Second {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAMistakeInEventsIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "line 1: the header must be time,event,target,value; time is missing",
		"time,event\n":                            "target is missing",
		"time,event,target,time\n":                "column time is there twice",
		"time,event,node\n":                       `line 1: a file of events has no column "node"`,
		"time,event,target\n-1,drain,n1\n":        `line 2: time: "-1" is not a number of seconds from 0 to 10000000000`,
		"time,event,target\n1,explode,n1\n":       `line 2: event: "explode" is none of [drain fail return speed hold release cancel]`,
		"time,event,target\n1,drain,\n":           "line 2: target: drain needs the name of a node",
		"time,event,target\n1,hold,x\n":           `line 2: target: hold needs the id of a job of the stream, not "x"`,
		"time,event,target\n1,speed,n1\n":         `line 2: value: "" is not a speed from 0.000001 to 1`,
		"time,event,target,value\n1,speed,n1,2\n": `line 2: value: "2" is not a speed`,
		"time,event,target,value\n1,fail,n1,2\n":  `line 2: value: fail takes none, but "2" is there`,
		"time,event,target\n1,drain\n":            "wrong number of fields",
	} {
		if _, err := ReadEvents(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func FuzzEventsAreSoundOrRefused(f *testing.F) {
	f.Add("time,event,target,value\n1,speed,n1,0.5\n0,hold,3,\n")
	f.Add("event,target,time\nfail,\"n\n1\",99999999999\n")
	f.Add("time,event,target,value\n1,cancel,-1,\n")
	f.Fuzz(func(t *testing.T, text string) {
		events, err := ReadEvents(strings.NewReader(text))
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(events, func(a, b Event) int { return int(a.At - b.At) }) {
			t.Errorf("%v is not in order", events)
		}
		for _, e := range events {
			if e.At < 0 || e.Job < 0 || (e.Node != "") != e.Kind.AboutNode() || (e.Speed != 0) != (e.Kind == NodeSpeeds) ||
				e.Speed > cluster.Whole {
				t.Errorf("%+v is taken", e)
			}
		}
	})
}
