package cluster

import (
	"strings"
	"testing"
)

func TestOutputsArePathsOrPatternsThatLeadNowhereElse(t *testing.T) {
	for pattern, ok := range map[string]bool{
		"out.csv": true, "results/*.csv": true, "results/": true, "/var/log/syslog": true, "[ab]*": true, "ö b=c": true,
		"": false, "/": false, "..": false, "a/../b": false, "a//b": false, "a\n": false, "[a": false, "a\xff": false,
		strings.Repeat("x", MaxPath+1): false,
	} {
		s := Spec{Outputs: []string{"a", pattern}}
		if got := s.checkOutputs() == nil; got != ok {
			t.Errorf("output %q: taken %v, want %v", pattern, got, ok)
		}
	}
	for field, s := range map[string]Spec{
		"outputs":            {Outputs: make([]string, MaxOutputs+1)},
		"limits.resultBytes": {Limits: Limits{ResultBytes: MiB}},
	} {
		if r := s.checkOutputs(); r == nil || r.Field != field {
			t.Errorf("%s: %+v", field, r)
		}
	}
}

func TestFilesThatAreLeftWaitForTheirFormatAndCountAsOutput(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	spec := Spec{Tasks: 2, Outputs: []string{"a"}}
	if r := s.Unready(Submit{&spec}); r == nil || !strings.Contains(r.Detail, "format 6") {
		t.Errorf("%+v", r)
	}
	if got, want := spec.Use().Logs, Bytes(2*(DefaultLogBytes+DefaultResults)); got != want {
		t.Errorf("two tasks count %v of output, want %v", got, want)
	}
	spec.Outputs = nil
	if got, want := spec.Use().Logs, Bytes(2*DefaultLogBytes); got != want {
		t.Errorf("without outputs they count %v, want %v", got, want)
	}
}
