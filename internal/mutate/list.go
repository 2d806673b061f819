package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// listFile is the list of the mutants that were tried.
const listFile = "internal/mutate/mutants.txt"

// kind is the kind of a verdict.
type kind string

const (
	none       kind = "" // the mutant does not compile
	killed     kind = "killed"
	survived   kind = "survived"
	equivalent kind = "equivalent" // a person's verdict
)

// verdict is the fate of a mutant.
type verdict struct {
	kind kind
	by   string // the test, or the reason
}

func (v verdict) String() string { return strings.TrimSpace(string(v.kind) + " " + v.by) }

// entry is a line of the list.
type entry struct {
	mutant
	verdict
}

// list holds the entries by identity.
type list struct {
	file    string
	entries map[string]entry
}

// readList reads the verdicts on mutants that still exist. A missing file is an empty list.
func readList(file string, mutants []mutant) (*list, error) {
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the list of mutants: %w", err)
	}
	verdicts := map[string]verdict{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("read the list of mutants: no place, function, change and verdict: %q", line)
		}
		file, _, _ := strings.Cut(fields[0], ":")
		word, by, _ := strings.Cut(fields[3], " ")
		verdicts[mutant{file: file, function: fields[1], change: fields[2]}.identity()] = verdict{kind(word), by}
	}
	l := &list{file: file, entries: map[string]entry{}}
	for _, m := range mutants {
		if v, ok := verdicts[m.identity()]; ok {
			l.entries[m.identity()] = entry{m, v}
		}
	}
	return l, nil
}

// with returns the mutants that have a verdict of the kind.
func (l *list) with(mutants []mutant, k kind) []mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return l.entries[m.identity()].kind != k })
}

// put records a verdict and writes the list. A person's verdict stays while the mutant survives.
func (l *list) put(m mutant, v verdict) error {
	if l.entries[m.identity()].kind != equivalent || v.kind != survived {
		l.entries[m.identity()] = entry{m, v}
	}
	var out strings.Builder
	out.WriteString("# Mutants that were tried: place, function, change, verdict. `make mutate` writes this file;\n" +
		"# people write the verdict equivalent, with the reason.\n#\n")
	for line := range strings.Lines(l.score()) {
		out.WriteString("# " + line)
	}
	for _, e := range slices.SortedFunc(maps.Values(l.entries), func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.change, b.change))
	}) {
		fmt.Fprintf(&out, "%v\t%v\n", e.mutant, e.verdict)
	}
	return os.WriteFile(l.file, []byte(out.String()), 0o644)
}

// score counts the verdicts by package. Equivalent mutants are not part of the score.
func (l *list) score() string {
	counts := map[string]map[kind]int{"all": {}}
	for _, e := range l.entries {
		for _, p := range []string{"all", path.Dir(e.file)} {
			if counts[p] == nil {
				counts[p] = map[kind]int{}
			}
			counts[p][e.kind]++
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-20s %7s %9s %11s %6s\n", "package", killed, survived, equivalent, "score")
	for _, p := range slices.Sorted(maps.Keys(counts)) {
		c := counts[p]
		fmt.Fprintf(&out, "%-20s %7d %9d %11d %5.1f%%\n", p, c[killed], c[survived], c[equivalent],
			100*float64(c[killed])/max(1, float64(c[killed]+c[survived])))
	}
	return out.String()
}
