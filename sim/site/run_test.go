package site

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aliquot/policy/hetero"
)

func policyOf(t testing.TB, name string) hetero.Policy {
	p, err := hetero.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run1(t *testing.T, s *Site, name string, period hetero.Ticks, jobs []Job) []Fate {
	t.Helper()
	fates, err := Run(Setup{Site: s, Policy: policyOf(t, name), Period: period}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(fates); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return fates
}

// told returns the rows of the fates without what is always the same.
func (s *Site) told(fates []Fate) string {
	var b strings.Builder
	for _, f := range fates {
		fmt.Fprintf(&b, "%s %s %d-%d %d/%d\n", f.ID, s.Resource(f.Parallel, f.Resource), f.Start, f.End, f.Preemptions,
			f.Bumps)
	}
	return b.String()
}

// stream reads jobs "id submit type level".
func (s *Site) stream(t *testing.T, lines ...string) []Job {
	t.Helper()
	text := "id,submit,type,priority\n" + strings.ReplaceAll(strings.Join(lines, "\n"), " ", ",")
	jobs, err := s.ReadJobs(strings.NewReader(text), "jobs.csv")
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func TestJobsAreScheduledAtTheNextQuantum(t *testing.T) {
	s := smallSite(t)
	jobs := s.stream(t, "x 0 b M", "y 1 b M", "z 10 b M")
	if got := s.told(run1(t, s, "SJS", 10, jobs)); got != "x m3 0-30 0/0\ny m1 10-50 0/0\nz m2 10-60 0/0\n" {
		t.Error(got)
	}
	if got := s.told(run1(t, s, "OLB", 10, jobs)); got != "x m1 0-40 0/0\ny m2 1-51 0/0\nz m3 10-40 0/0\n" {
		t.Error("OLB waits for nothing: " + got)
	}
}

func TestAHighJobTakesTheClusterOfALowOne(t *testing.T) {
	s := smallSite(t)
	jobs := s.stream(t, "low 0 a L", "medium 0 b M", "high 20 a H", "next 20 b L")
	// the low job loses its cluster at 20; on m3 alone it would end by 90, so the cluster from 65 on does not pay
	want := "low m3 60-120 1/0\nmedium m3 0-30 0/0\nhigh c1 20-65 0/0\nnext m3 30-60 0/0\n"
	if got := s.told(run1(t, s, "PJS/preempt", 10, jobs)); got != want {
		t.Error(got)
	}
	if got := s.told(run1(t, s, "PJS/priority", 10, jobs)); strings.Contains(got, " 1/0") || strings.Contains(got, "0/1") {
		t.Error("without preemption a job lost its place: " + got)
	}
}

// drawn returns a random site and a stream for it.
func drawn(t *testing.T, r *rand.Rand, until int64) (*Site, []Job) {
	files := map[string]string{machinesFile: "machine,mclass,cluster,up\n",
		clustersFile: "cluster,cclass,min_members\nc1,k,1\n",
		timesFile:    "type,kind,resource,ticks\n"}
	for m := range 2 + r.IntN(4) {
		files[machinesFile] += fmt.Sprintf("m%d,x%d,%s,1\n", m, r.IntN(2), []string{"c1", ""}[min(m/2, 1)])
	}
	types := 1 + r.IntN(3)
	for k := range types {
		for m := range strings.Count(files[machinesFile], "\n") - 1 {
			files[timesFile] += fmt.Sprintf("t%d,seq,m%d,%d\n", k, m, 1+r.IntN(40))
		}
		if r.IntN(3) > 0 {
			files[timesFile] += fmt.Sprintf("t%d,par,c1,%d\n", k, 1+r.IntN(12))
		}
	}
	s, err := Read(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range 1 + r.IntN(25) {
		lines = append(lines, fmt.Sprintf("j%d %d t%d %s", i, r.Int64N(until+1), r.IntN(types), string("HML"[r.IntN(3)])))
	}
	return s, s.stream(t, lines...)
}

func TestSchedulesAreValidUnderEveryPolicy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 150 {
		s, jobs := drawn(t, r, 200)
		for _, name := range []string{"OLB", "OLB/priority", "SJS", "SJS/priority", "SJS/preempt", "PJS", "PJS/priority",
			"PJS/preempt", "priced/preempt", "PJS/preempt/replan/continue/price=0.1"} {
			run1(t, s, name, 10, jobs)
		}
	}
}

func TestThereIsNothingToPreemptIfAllComeAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 150 {
		s, jobs := drawn(t, r, 10)
		with, without := s.told(run1(t, s, "PJS/preempt", 100, jobs)), s.told(run1(t, s, "PJS/priority", 100, jobs))
		if with != without {
			t.Fatalf("%s, without preemption %s", with, without)
		}
	}
}

func TestLowJobsDoNotTouchHighOnesWherePreemptionIsAllowed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 150 {
		s, jobs := drawn(t, r, 200)
		isLow := func(j Job) bool { return j.Level == hetero.Low }
		jobs = slices.DeleteFunc(jobs, func(j Job) bool { return j.Level == hetero.Medium })
		few := slices.DeleteFunc(slices.Clone(jobs), isLow)
		fates := slices.DeleteFunc(run1(t, s, "PJS/preempt", 10, jobs), func(f Fate) bool { return isLow(f.Job) })
		if got, want := s.told(fates), s.told(run1(t, s, "PJS/preempt", 10, few)); got != want {
			t.Fatalf("%s, without low jobs %s", got, want)
		}
	}
}

func TestJobsThatMayRunNowhereAreRefusedOrSkipped(t *testing.T) {
	files := small()
	files[timesFile] += "p,par,pair,9\n"
	s, err := Read(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	jobs := s.stream(t, "x 0 p M", "y 0 a M")
	_, err = Run(Setup{Site: s, Policy: policyOf(t, "SJS"), Period: 10}, jobs)
	if err == nil || !strings.Contains(err.Error(), "1 of 2 jobs can never run under SJS: job x: its type p may run on no") {
		t.Error(err)
	}
	fates, err := Run(Setup{Site: s, Policy: policyOf(t, "SJS"), Period: 10, Skip: true}, jobs)
	if err != nil || !fates[0].Skipped || fates[1].Skipped {
		t.Error(fates, err)
	}
	if got := s.told(run1(t, s, "PJS", 10, jobs)); !strings.HasPrefix(got, "x c1 0-9") {
		t.Error(got)
	}
}

func TestAStreamWhoseTimesCannotBeAddedUpIsRefused(t *testing.T) {
	s, _ := mispredicted(t)
	jobs := make([]Job, 200_000)
	for i := range jobs {
		jobs[i] = Job{Submit: lastSubmit, Level: hetero.Medium}
	}
	_, err := Run(Setup{Site: s, Policy: policyOf(t, "PJS"), Period: 10_000}, jobs)
	if err == nil || !strings.Contains(err.Error(), "more than can be counted: the last of 200000 jobs could end at") {
		t.Error(err)
	}
}

func TestPredictionsComeFromExperienceAndRunsAddToIt(t *testing.T) {
	s := smallSite(t)
	e := &hetero.Experience{}
	jobs := s.stream(t, "x 0 b M", "y 0 b M", "z 100 b M")
	setup := Setup{Site: s, Policy: policyOf(t, "SJS"), Period: 10, Experience: e}
	if _, err := Run(setup, jobs); err == nil || !strings.Contains(err.Error(), "has no experience") {
		t.Error(err)
	}
	for name, ticks := range map[string]hetero.Ticks{"m1": 10, "m2": 15} { // m1 takes 40 in truth, m2 50
		if err := e.Observe(hetero.Pair{Type: "b", Resource: name}, ticks); err != nil {
			t.Fatal(err)
		}
	}
	fates, err := Run(setup, jobs)
	if err != nil || s.Check(fates) != nil {
		t.Fatal(err)
	}
	// nothing is known of m3; by 100 the means are 25 and 32.5
	if got := s.told(fates); got != "x m1 0-40 0/0\ny m2 0-50 0/0\nz m1 100-140 0/0\n" {
		t.Error(got)
	}
	if c, _ := e.Of(hetero.Pair{Type: "b", Resource: "m1"}); c.Count != 3 || c.Sum != 90 {
		t.Errorf("%+v", c)
	}
}

// mispredicted returns a site with one machine, on which a job of type long takes 1,000 s and one of type short 100 s,
// and what past runs predict: 200 s for long.
func mispredicted(t *testing.T) (*Site, *hetero.Experience) {
	t.Helper()
	s, err := Read(folder(map[string]string{machinesFile: "machine,mclass,cluster,up\nm,x,,1\n",
		timesFile: "type,kind,resource,ticks\nlong,seq,m,1000000\nshort,seq,m,100000\n"}))
	if err != nil {
		t.Fatal(err)
	}
	e := &hetero.Experience{}
	for name, ticks := range map[string]hetero.Ticks{"long": 200_000, "short": 100_000} {
		if err := e.Observe(hetero.Pair{Type: name, Resource: "m"}, ticks); err != nil {
			t.Fatal(err)
		}
	}
	return s, e
}

func TestASuspendedJobKeepsWhatItHasDoneAndNotWhatWasPredicted(t *testing.T) {
	s, e := mispredicted(t)
	jobs := s.stream(t, "low 0 long L", "high 100000 short H")
	fates, err := Run(Setup{Site: s, Policy: policyOf(t, "priced/preempt"), Period: 10_000, Experience: e}, jobs)
	if err != nil || s.Check(fates) != nil {
		t.Fatal(err, s.Check(fates))
	}
	// a tenth is done at 100 s; nine tenths and 2 s are left at 200 s
	if got := s.told(fates); got != "low m 200000-1102000 1/0\nhigh m 100000-200000 0/0\n" {
		t.Error(got)
	}
}

func TestALowJobThatOutlivesItsPredictionMakesWayForAHighOne(t *testing.T) {
	s, e := mispredicted(t)
	jobs := s.stream(t, "low 0 long L", "high 300000 short H")
	fates, err := Run(Setup{Site: s, Policy: policyOf(t, "SJS/preempt"), Period: 10_000, Experience: e}, jobs)
	if err != nil || s.Check(fates) != nil {
		t.Fatal(err, s.Check(fates))
	}
	if got := s.told(fates); got != "low m 400000-1400000 1/0\nhigh m 300000-400000 0/0\n" {
		t.Error(got)
	}
}

func TestWrongPredictionsStillMakeValidSchedules(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		s, jobs := drawn(t, r, 200)
		for _, name := range []string{"OLB", "SJS/preempt", "PJS/preempt", "priced/preempt"} {
			e := &hetero.Experience{}
			for _, kind := range s.Times.Types {
				for _, m := range s.Machines {
					if err := e.Observe(hetero.Pair{Type: kind, Resource: m.Name}, hetero.Ticks(1+r.IntN(60))); err != nil {
						t.Fatal(err)
					}
				}
			}
			fates, err := Run(Setup{Site: s, Policy: policyOf(t, name), Period: 10, Experience: e}, jobs)
			if err != nil || s.Check(fates) != nil {
				t.Fatalf("%s: %v, %v", name, err, s.Check(fates))
			}
		}
	}
}

func TestRowsTellSecondsKindAndResource(t *testing.T) {
	s := smallSite(t)
	var b strings.Builder
	if err := s.WriteRows(&b, run1(t, s, "PJS", 10, s.stream(t, "x 5 a M", "y 1 b M"))); err != nil {
		t.Fatal(err)
	}
	want := "id,submit,start,end,outcome,tier,kills,migrations,preemptions,foreground,swaps,kind,resource,bumps\n" +
		"x,0.005000,0.010000,0.055000,ended,foreground,0,0,0,0.010000,0,par,c1,0\n" +
		"y,0.001000,0.010000,0.040000,ended,foreground,0,0,0,0.010000,0,seq,m3,0\n"
	if b.String() != want {
		t.Error(b.String())
	}
}
