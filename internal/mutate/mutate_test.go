package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMutantsAreSmallChangesOfTheSource(t *testing.T) {
	const source = `package x

func (s *T) f(a, b int) (int, error) {
	if a < 2 && ok {
		g(a, b)
		log.Info().Int("a", a+1).Msg("small")
	}
	if b > 0 {
		log.Error().Msg("large")
	}
	switch {
	case a == b:
		s.n++
	}
	return a * 2, nil
}
`
	found, err := find("x.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		changed := string(m.edit.apply([]byte(source)))
		if m.function != "T.f" || changed == source {
			t.Errorf("%v", m)
		}
		got = append(got, strings.ReplaceAll(m.change, "`", ""))
	}
	want := []string{
		"body becomes return *new(int), *new(error)",
		"a < 2 && ok becomes !(a < 2 && ok)",
		"a < 2 becomes a <= 2",
		"2 becomes 3",
		"a < 2 && ok becomes a < 2 || ok",
		"g(a, b) becomes nothing",
		"g(a, b) becomes g(… b, a …)",
		"a == b becomes a != b",
		"s.n++ becomes nothing",
		"a * 2 becomes a / 2",
		"2 becomes 3 (2)",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAMutantIsKilledByTheTestThatNoticesIt(t *testing.T) {
	t.Chdir("../..")
	all, err := mutantsOf([]string{"internal/mutate/testdata/clamp"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{folder: t.TempDir(), suites: map[string]*suite{}}
	for change, want := range map[string]verdict{
		"`n = 9` becomes `nothing`":         {killed, "TestLargeNumbersAreClamped"},
		"`n++` becomes `nothing`":           {killed, "TestNegativeNumbersBecomeZero"}, // it would loop for ever
		"`n > 9` becomes `n >= 9`":          {survived, ""},
		"`true` becomes `false`":            {survived, "no test reaches it"},
		"`body` becomes `return *new(int)`": {killed, "TestLargeNumbersAreClamped"},
	} {
		at := slices.IndexFunc(all, func(m mutant) bool { return m.change == change })
		if at < 0 {
			t.Fatalf("there is no mutant %s", change)
		}
		if v, err := b.judge(all[at]); err != nil || v != want {
			t.Errorf("%s: %v, %v", change, v, err)
		}
		if change != "`n = 9` becomes `nothing`" {
			continue
		}
		if v, err := b.confirm(all[at], want.by); err != nil || v != want {
			t.Errorf("%s, again: %v, %v", change, v, err)
		}
		if v, err := b.confirm(all[at], "TestNegativeNumbersBecomeZero"); err == nil {
			t.Errorf("%s: it was killed, survives now, and is only %v", change, v)
		}
	}
}

func TestWhatDoesNotCompileIsNoMutant(t *testing.T) {
	t.Chdir("../..")
	b := &bench{folder: t.TempDir(), suites: map[string]*suite{}}
	m := mutant{file: "internal/mutate/testdata/clamp/clamp.go", edit: edit{0, 0, "?"}}
	if v, err := b.try(m, nil); err != nil || v.kind != none {
		t.Errorf("%v, %v", v, err)
	}
}

func TestTheListKeepsAPersonsVerdictAndDropsMutantsThatAreGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list")
	m := func(change string) mutant { return mutant{file: "a/b.go", line: 3, function: "f", change: change} }
	text := "# a comment\na/b.go:1\tf\tequal\tequivalent it only logs\na/b.go:9\tf\tgone\tkilled TestX\n" +
		"a/b.go:2\tf\tfound\tsurvived\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := readList(file, []mutant{m("equal"), m("found"), m("new")})
	if err != nil {
		t.Fatal(err)
	}
	for change, v := range map[string]verdict{"equal": {survived, ""}, "found": {killed, "TestY"}, "new": {survived, ""}} {
		if err := l.put(m(change), v); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, entries, _ := strings.Cut(string(got), "\na/")
	want := "b.go:3\tf\tequal\tequivalent it only logs\na/b.go:3\tf\tfound\tkilled TestY\na/b.go:3\tf\tnew\tsurvived\n"
	if entries != want {
		t.Errorf("%s", got)
	}
	if !strings.Contains(string(got), "# a                          1         1           1  50.0%\n") {
		t.Errorf("another score: %s", got)
	}
}
