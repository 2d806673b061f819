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

func TestTheRefusalOfADotNamesTheDot(t *testing.T) {
	for _, pattern := range []string{".", "./out", "a/.", ".."} {
		s := Spec{Outputs: []string{pattern}}
		if r := s.checkOutputs(); r == nil || !strings.Contains(r.Detail, "must not have . or .. as a part") {
			t.Errorf("%q: %+v", pattern, r)
		}
	}
}

func TestFilesThatAreLeftWaitForTheirFormatAndCountAsOutput(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	spec := Spec{Tasks: 2, Outputs: []string{"a"}}
	if r := s.Unready(Submit{Spec: &spec}); r == nil || !strings.Contains(r.Detail, "format 6") {
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

func TestAPatternSelectsFilesAndFolders(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		selected      bool
	}{
		{"", "a/b", true},
		{"a/b", "a/b", true}, {"a", "a/b", true}, {"a/", "a/b", true}, {"a/b/c", "a/b", false}, {"b", "a/b", false},
		{"a/*", "a/b/c", true}, {"*", "a/b/c", true}, {"*/c", "a/b/c", false}, {"a*c", "a/b/c", false},
		{"a[/]b", "a/b", true}, {"[x]", "[x]", true}, {"a/[b", "a/b", false},
	} {
		if got := Selects(c.pattern, c.file); got != c.selected {
			t.Errorf("%q selects %q: %v, want %v", c.pattern, c.file, got, c.selected)
		}
	}
}

// A list has 10,000 files of such paths at most.
func BenchmarkALongPatternAndADeepPath(b *testing.B) {
	file := strings.Repeat(strings.Repeat("a", 30)+"/", 31) + "a"
	pattern := strings.Repeat("*a", 499) + "b"
	for b.Loop() {
		if Selects(pattern, file) {
			b.Fatal("selected")
		}
	}
}
