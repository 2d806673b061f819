package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// suite is the tests of one package.
type suite struct {
	flags []string
	tests []probe // the quickest first
}

// probe is a test that was run once without a mutant.
type probe struct {
	name         string
	took, waited time.Duration // of processors, and in all
	blocks       []block       // all code of the package
}

// block is a piece of code that is run as a whole. Lines and columns count from 1; the end is exclusive.
type block struct {
	file                             string
	line, column, endLine, endColumn int
	statements, count                int // count: how often the test ran it
}

func (b block) holds(file string, line, column int) bool {
	return b.file == file && (b.line < line || b.line == line && b.column <= column) &&
		(line < b.endLine || line == b.endLine && column < b.endColumn)
}

// newSuite runs each test of the package. They must pass.
func newSuite(folder, temporary string) (*suite, error) {
	flags, err := flagsOf(folder)
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(temporary, strings.ReplaceAll(folder, "/", "-")+".test")
	defer os.Remove(binary)
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-cover", "-o", binary, "./"+folder).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("build the tests of %s: %w\n%s", folder, err, out)
	}
	listed, err := start(folder, binary, "-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w\n%s", folder, err, listed.out)
	}
	s := &suite{flags: flags}
	for _, name := range regexp.MustCompile(`(?m)^(Test|Fuzz|Example)\w*$`).FindAllString(listed.out, -1) {
		if err := s.probe(binary, folder, name); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(s.tests, func(a, b probe) int { return cmp.Compare(a.took, b.took) })
	return s, nil
}

// probe runs one test and records the code that it reaches.
func (s *suite) probe(binary, folder, name string) error {
	profile := binary + ".cover"
	defer os.Remove(profile)
	r, err := start(folder, binary, append(s.flags, "-test.run", "^"+name+"$", "-test.coverprofile", profile)...)
	if err != nil {
		return fmt.Errorf("%s of %s fails without a mutant: %w\n%s", name, folder, err, r.out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return fmt.Errorf("%s of %s left no profile: %w", name, folder, err)
	}
	p := probe{name: name, took: r.took, waited: r.waited}
	for line := range strings.Lines(string(text)) { // such as aliquot/cluster/job.go:10.20,12.3 2 1, after a first one
		var b block
		file, rest, _ := strings.Cut(line, ":")
		b.file = path.Join(folder, path.Base(file))
		if n, _ := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &b.statements,
			&b.count); n == 6 {
			p.blocks = append(p.blocks, b)
		}
	}
	s.tests = append(s.tests, p)
	return nil
}

// reaches reports whether the test runs the code at a place. It counts as running code that is in no block, such as a
// constant.
func (p probe) reaches(file string, line, column int) bool {
	inBlock := false
	for _, b := range p.blocks {
		if b.holds(file, line, column) {
			if inBlock = true; b.count > 0 {
				return true
			}
		}
	}
	return !inBlock
}

// short is the processor time of a test that runs before longer ones.
const short = time.Second

// reaching returns the tests that reach the mutant, the short ones apart.
func (s *suite) reaching(m mutant, source []byte) (quick, slow []probe) {
	before := string(source[:m.edit.begin])
	line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n")
	for _, p := range s.tests {
		switch {
		case !p.reaches(m.file, line, column):
		case p.took < short:
			quick = append(quick, p)
		default:
			slow = append(slow, p)
		}
	}
	return quick, slow
}

// flagsOf returns the flags that make the package's tests the same every time. Tests of package rapid draw by a seed of
// their own, and write files when they fail.
func flagsOf(folder string) ([]string, error) {
	out, err := exec.Command("go", "list", "-deps", "-test", "./"+folder).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("list the imports of %s: %w\n%s", folder, err, out)
	}
	if bytes.Contains(out, []byte("pgregory.net/rapid\n")) {
		return []string{"-rapid.seed=1", "-rapid.nofailfile", "-rapid.shrinktime=1ms"}, nil
	}
	return nil, nil
}

// outcome is that of a run of tests.
type outcome struct {
	out          string
	took, waited time.Duration // of processors, and in all
}

// start runs a program of tests in their package's folder. It kills what the tests leave.
func start(folder, program string, arguments ...string) (o outcome, err error) {
	c := exec.Command(program, arguments...)
	out := &head{}
	c.Dir, c.Stdout, c.Stderr = folder, out, out
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	c.WaitDelay = time.Second // for children that hold the output
	began := time.Now()
	if err = c.Start(); err != nil {
		return o, err
	}
	err = c.Wait()
	syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	o = outcome{out.String(), c.ProcessState.UserTime() + c.ProcessState.SystemTime(), time.Since(began)}
	if c.ProcessState.Success() {
		err = nil // a child held the output
	}
	return o, err
}

// head keeps the beginning of what is written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), 16<<20-h.Len())])
	return len(p), nil
}

var (
	failed  = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	running = regexp.MustCompile(`(?m)^=== (?:RUN|CONT|NAME) +(\w+)`)
)

// limited runs a program within limits of processor seconds and of KiB of memory.
const limited = `ulimit -t "$1" && ulimit -d "$2" && shift 2 && exec "$@"`

// failing runs the tests, within generous limits, and returns the name of one that fails, or "".
func failing(binary, folder string, flags []string, tests []probe) string {
	if len(tests) == 0 {
		return ""
	}
	seconds, wait := 5, 20*time.Second
	var names []string
	for _, p := range tests {
		seconds += int(10 * cmp.Or(p.took, 6*time.Second).Seconds())
		wait += 10 * cmp.Or(p.waited, 6*time.Second)
		names = append(names, p.name)
	}
	arguments := []string{"-c", limited, "sh", fmt.Sprint(seconds), fmt.Sprint(6 << 20), binary, "-test.v",
		"-test.failfast", "-test.timeout", wait.String(), "-test.run", "^(" + strings.Join(names, "|") + ")$"}
	o, err := start(folder, "sh", append(arguments, flags...)...)
	if err == nil {
		return ""
	}
	if found := failed.FindStringSubmatch(o.out); found != nil {
		return found[1]
	}
	if all := running.FindAllStringSubmatch(o.out, -1); len(all) > 0 { // it ended the program, or took too long
		return all[len(all)-1][1]
	}
	return tests[0].name
}
