package story

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestALineIsANameWordsAndPairs(t *testing.T) {
	got := Lines("n1 cpu=4000 silent why=no_room\nj1\n")
	want := []Line{
		{"n1", []string{"silent"}, map[string]string{"cpu": "4000", "why": "no room"}},
		{"j1", nil, map[string]string{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	l := got[0]
	if l.Number("cpu", 1) != 4000 || l.Number("memory", 7) != 7 || !l.Has("silent") || !l.Has("cpu") || l.Has("loud") {
		t.Errorf("%+v", l)
	}
}

func TestTextThatIsNotANumberIsNotTakenForOne(t *testing.T) {
	defer func() {
		if got := recover(); got != `story: "4k" is not a whole number` {
			t.Error(got)
		}
	}()
	Number("4k")
}
