package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of a file.
type mutant struct {
	file     string // in the module
	line     int
	function string // its name, or "Type.name"; "-" outside of functions
	change   string // from what to what, different for each mutant of the function
	edit     edit
}

// edit replaces the bytes of a file from begin to end.
type edit struct {
	begin, end int
	text       string
}

func (e edit) apply(source []byte) []byte {
	return slices.Concat(source[:e.begin], []byte(e.text), source[e.end:])
}

// identity is the same for the same change in two versions of a file, unless its function has changed there.
func (m mutant) identity() string { return m.file + "\t" + m.function + "\t" + m.change }

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d\t%s\t%s", m.file, m.line, m.function, m.change)
}

// mutantsOf returns all mutants of packages, in order.
func mutantsOf(packages []string) (all []mutant, err error) {
	slices.Sort(packages)
	for _, p := range slices.Compact(packages) {
		files, err := filepath.Glob(filepath.Join(p, "*.go"))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("there is no package %s here; run mutate in the module's root", p)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			found, err := find(path.Clean(file), source)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

const widest = 70 // bytes of source text in a change

// change describes a change in one line.
func change(from, to string) string {
	short := func(text string) string {
		text = strings.Join(strings.Fields(text), " ")
		if len(text) > widest {
			text = strings.ToValidUTF8(text[:widest], "") + "…"
		}
		return cmp.Or(text, "nothing")
	}
	return fmt.Sprintf("`%s` becomes `%s`", short(from), short(to))
}
