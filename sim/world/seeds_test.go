package world

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"aliquot/manager/ca"
	"aliquot/wire/join"
)

var (
	seeds = flag.Int("seeds", 50, "number of seeds to run")
	first = flag.Uint64("seed", 1, "first seed")
	story = flag.Bool("story", false, "print everything that happens in every run, and the programs' logs")
	whole = flag.Bool("whole", false, "do not look for the shortest story of a failure")
)

// root holds the folders of the worlds: in memory, if the system has such a place.
var root string

func TestMain(m *testing.M) {
	flag.Parse()
	runtime.GOMAXPROCS(1) // the order of goroutines varies less
	var err error
	if root, err = os.MkdirTemp(scratch(), "aliquot-world-"); err != nil {
		panic(err)
	}
	issue()
	code := m.Run()
	os.RemoveAll(root)
	os.Exit(code)
}

func scratch() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func certificateFile(node string) string { return filepath.Join(root, node+".pem") }

// issue certifies all nodes that any world can have.
func issue() {
	authority, err := ca.Open(filepath.Join(root, "ca"))
	must(err)
	for i := range 5 {
		request, err := join.NewRequest(fmt.Sprintf("n%d", i+1))
		must(err)
		certificate, err := authority.Certify(join.Identity{Node: request.Node}, request.CSR)
		must(err)
		c, err := request.Complete(certificate, authority.Certificate())
		must(err)
		must(c.Save(certificateFile(request.Node)))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// run runs the plan of a seed in a bubble of its own time; nil: the plan that the seed draws.
func run(t *testing.T, seed uint64, log zerolog.Logger, p *plan) (o outcome) {
	t.Helper()
	dir, err := os.MkdirTemp(root, "run-")
	must(err)
	defer os.RemoveAll(dir)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		w := newWorld(ctx, seed, dir, log)
		drawn := newPlan(w)
		if p == nil {
			p = &drawn
		}
		w.run(*p)
		w.stop()
		cancel()
		synctest.Wait()
		o = outcome{plan: *p, broken: w.checks.wrong, notes: w.notes, commands: w.checks.commits, settled: w.settled,
			lasted: time.Since(w.began), fell: len(w.checks.fell), lost: len(w.checks.promised.broken), took: w.users.took}
	})
	return o
}

func TestNothingIsLostOrDoneTwiceAndCalmHeals(t *testing.T) {
	fell, lost, took := 0, 0, 0
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			o := run(t, seed, logged(), nil)
			if len(o.broken) > 0 {
				tell(t, seed, o)
			}
			fell, lost, took = fell+o.fell, lost+o.lost, took+o.took
		})
	}
	t.Logf("%d promises fell due and had all that was promised; %d were broken at some time; %d offers were accepted", fell,
		lost, took)
	if *seeds >= 50 && (fell == 0 || lost == 0) || *seeds >= 200 && took == 0 {
		t.Error("no promise, or no offer, was put to the test")
	}
}

// logged returns where the programs' logs go.
func logged() zerolog.Logger {
	if !*story {
		return zerolog.Nop()
	}
	return zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true,
		TimeFormat: "05.000"}).With().Timestamp().Logger()
}

// tell reports a failure with its shortest story.
func tell(t *testing.T, seed uint64, o outcome) {
	p := o.plan
	if !*story && !*whole {
		p, o = shrink(t, seed, p, o)
	}
	var b strings.Builder
	for _, l := range o.notes {
		fmt.Fprintf(&b, "%10.4f %s\n", l.at.Seconds(), l.text)
	}
	t.Errorf("seed %d, with %d jobs and the faults %v:\n%s\n%s", seed, p.jobs, p.faults, b.String(),
		strings.Join(o.broken, "\n"))
}
