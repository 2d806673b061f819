package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// bench builds mutants and runs tests on them.
type bench struct {
	folder string            // of temporary files
	suites map[string]*suite // by package
}

// suite returns the tests of the package. They are run once, to learn which code each of them reaches.
func (b *bench) suite(folder string) (s *suite, err error) {
	if s = b.suites[folder]; s == nil {
		s, err = newSuite(folder, b.folder)
		b.suites[folder] = s
	}
	return s, err
}

// judge runs the tests that reach the mutant.
func (b *bench) judge(m mutant) (verdict, error) {
	s, err := b.suite(path.Dir(m.file))
	if err != nil {
		return verdict{}, err
	}
	source, err := os.ReadFile(m.file)
	if err != nil {
		return verdict{}, err
	}
	quick, slow := s.reaching(m, source)
	v, err := b.try(m, s.flags, quick, slow)
	if v.kind == survived && len(quick)+len(slow) == 0 {
		v.by = "no test reaches it"
	}
	return v, err
}

// confirm runs the test that killed the mutant. It fails if the test passes.
func (b *bench) confirm(m mutant, by string) (verdict, error) {
	flags, err := flagsOf(path.Dir(m.file))
	if err != nil {
		return verdict{}, err
	}
	v, err := b.try(m, flags, []probe{{name: by}})
	if err == nil && v.kind == survived {
		err = fmt.Errorf("%v was killed by %s, which passes now: a test has become weaker; if another one fails now, "+
			"`make mutate` with this package records that", m, by)
	}
	return v, err
}

// try runs groups of tests on the mutant until one test fails.
func (b *bench) try(m mutant, flags []string, groups ...[]probe) (verdict, error) {
	binary, err := b.build(m)
	if err != nil || binary == "" {
		return verdict{}, err
	}
	defer os.Remove(binary)
	for _, tests := range groups {
		if by := failing(binary, path.Dir(m.file), flags, tests); by != "" {
			return verdict{killed, by}, nil
		}
	}
	return verdict{kind: survived}, nil
}

// build compiles the tests of the mutant's package with the mutant. It returns "" if that does not compile.
func (b *bench) build(m mutant) (binary string, err error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(b.folder, "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	original, err := filepath.Abs(m.file)
	if err = errors.Join(err, os.WriteFile(changed, m.edit.apply(source), 0o600),
		os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace": {%q: %q}}`, original, changed), 0o600)); err != nil {
		return "", err
	}
	binary = folder + ".test"
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary,
		"./"+path.Dir(m.file)).CombinedOutput()
	if err != nil && (strings.Contains(string(out), changed) || strings.Contains(string(out), m.file)) {
		return "", nil // the compiler names one file, the go command, which reads the package's clause, the other
	}
	if err != nil {
		return "", fmt.Errorf("build %v: %w\n%s", m, err, out)
	}
	return binary, nil
}
