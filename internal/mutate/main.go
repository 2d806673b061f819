// Command mutate shows which mistakes the tests would not notice. It changes the code of a package in one small place,
// a mutant, runs the package's tests on it, and records in mutants.txt which test failed, or that the mutant survived.
//
// Mutants are drawn by seed from the code that people wrote: negated conditions, boundaries, other operators, removed
// statements, other numbers, swapped arguments and early returns. Log lines are left alone. The compiler sees a mutant
// as an overlay, so the source tree is never touched. A mutant that does not compile is none. Only tests that reach the
// mutant run, the quick ones first, with limits of processor time and memory.
//
// A survivor is a missing test, dead code, or equivalent: it changes nothing that anybody could notice. Only a person
// can tell these apart. People write the verdict equivalent, with the reason, into the list, where it is kept.
//
// Invariant: an entry of the list is found again as long as its function has the same text at that place. Its line
// number is only for people. Other entries are dropped.
//
// Reference: R. DeMillo, R. Lipton and F. Sayward, "Hints on Test Data Selection" (Computer, 1978).
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
)

// judged are the packages whose mutants are drawn unless others are named.
var judged = []string{
	"cluster", "manager", "manager/ca", "manager/events", "manager/images", "manager/link", "manager/output",
	"manager/past", "manager/simulations", "manager/store", "monitor", "monitor/fence", "monitor/reconcile",
	"packing/stable", "policy/dfrs", "web", "wire", "wire/image", "wire/join",
}

func main() {
	number := flag.Int("number", 20, "how many mutants to draw")
	seed := flag.Uint64("seed", 1, "the seed that chooses them")
	again := flag.Bool("again", false, "draw from the killed ones of the list, run the test that killed each, "+
		"and fail if one survives")
	survivors := flag.Bool("survivors", false, "try all survivors of the list again instead of drawing")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: mutate [flags] [package]...\n\nRun it in the module's root. It "+
			"writes %s. Packages by default:\n  %s\n\n", listFile, strings.Join(judged, " "))
		flag.PrintDefaults()
	}
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = judged
	}
	if err := run(packages, *number, *seed, *again, *survivors); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(packages []string, number int, seed uint64, again, survivors bool) error {
	every, err := mutantsOf(append(slices.Clone(judged), packages...))
	if err != nil {
		return err
	}
	list, err := readList(listFile, every)
	if err != nil {
		return err
	}
	candidates := slices.DeleteFunc(every, func(m mutant) bool { return !slices.Contains(packages, path.Dir(m.file)) })
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(candidates), func(i, j int) {
		candidates[i], candidates[j] = candidates[j], candidates[i]
	})
	b := &bench{suites: map[string]*suite{}}
	if b.folder, err = os.MkdirTemp("", "mutate"); err != nil {
		return err
	}
	defer os.RemoveAll(b.folder)
	try := b.judge
	switch {
	case again:
		candidates = list.with(candidates, killed)
		try = func(m mutant) (verdict, error) { return b.confirm(m, list.entries[m.identity()].by) }
	case survivors:
		candidates = list.with(candidates, survived)
		number = len(candidates)
	}
	if again && len(candidates) == 0 {
		return errors.New("no killed mutant of the list is left in the code: draw others by make mutate")
	}
	for tried := 0; tried < number && len(candidates) > 0; candidates = candidates[1:] {
		m := candidates[0]
		v, err := try(m)
		if err != nil {
			return err
		}
		if v.kind == none {
			continue
		}
		tried++
		fmt.Printf("%v\t%v\n", m, v)
		if again {
			continue
		}
		if err := list.put(m, v); err != nil {
			return err
		}
	}
	fmt.Print(list.score())
	return nil
}
