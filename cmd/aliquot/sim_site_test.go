package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// campus writes a site of two machines in a cluster and a fast one, and a stream of four jobs. It returns both paths.
func campus(t *testing.T) (folder, jobs string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range map[string]string{
		"machines.csv": "machine,mclass,cluster,up\nm1,slow,c1,1\nm2,slow,c1,1\nm3,fast,,1\n",
		"clusters.csv": "cluster,cclass,min_members\nc1,pair,2\n",
		"exec.csv":     "type,kind,resource,ticks\na,seq,slow,100\na,seq,fast,60\na,par,pair,45\nb,seq,fast,30\nb,seq,slow,50\nb,seq,m1,40\n",
		"jobs.csv":     "id,submit,type,priority\nlow,0,a,L\nmedium,0,b,M\nhigh,20,a,H\nnext,20,b,L\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, filepath.Join(folder, "jobs.csv")
}

func TestJobsOfASiteRunOnUnlikeMachines(t *testing.T) {
	d, fates := newDesk(t), filepath.Join(t.TempDir(), "fates.csv")
	folder, jobs := campus(t)
	site := "sim run --no-timing --period 10ms --site " + folder
	shown := d.ok(site + " --policy PJS/preempt --check --jobs " + fates + " " + jobs)
	for _, want := range []string{"PJS/preempt", "preemptions", "H avg_job_seconds"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	for _, line := range strings.Split(shown, "\n") {
		if name, value, _ := strings.Cut(line, " "); name == "jobs" && strings.TrimSpace(value) != "4" {
			t.Errorf("%q is no whole number of jobs", line)
		}
	}
	want := "id,submit,start,end,outcome,tier,kills,migrations,preemptions,foreground,swaps,kind,resource,bumps\n" +
		"low,0.000000,0.060000,0.120000,ended,foreground,1,0,1,0.060000,0,seq,m3,0\n" +
		"medium,0.000000,0.000000,0.030000,ended,foreground,0,0,0,0.000000,0,seq,m3,0\n" +
		"high,0.020000,0.020000,0.065000,ended,foreground,0,0,0,0.020000,0,par,c1,0\n" +
		"next,0.020000,0.030000,0.060000,ended,foreground,0,0,0,0.030000,0,seq,m3,0\n"
	if got := content(t, fates); got != want {
		t.Error(got)
	}
	both := d.ok(site + " --policy OLB --policy SJS --json " + jobs)
	for _, want := range []string{`"policy": "OLB"`, `"policy": "SJS"`, `"parallel_share": 0`, `"sum_job_seconds": 0.`} {
		if !strings.Contains(both, want) {
			t.Errorf("no %q in %s", want, both)
		}
	}
}

func TestExperienceIsKeptInAFile(t *testing.T) {
	d, runs := newDesk(t), filepath.Join(t.TempDir(), "runs.csv")
	folder, jobs := campus(t)
	d.ok("experience import " + runs + " " + filepath.Join(folder, "exec.csv"))
	d.ok("sim run --site " + folder + " --experience " + runs + " " + jobs)
	if list := d.ok("experience list " + runs); !strings.Contains(list, "MEAN") || !strings.Contains(list, "0.045 s") {
		t.Error(list)
	}
	exported := d.ok("experience export " + runs)
	if !strings.HasPrefix(exported, "type,kind,resource,count,sum,squares\n") || !strings.Contains(exported, ",m3,") {
		t.Error(exported)
	}
	again := filepath.Join(t.TempDir(), "again.csv")
	d.ok("experience export " + runs + " --out " + again)
	poison := textFile(t, "poison.csv", "type,kind,resource,ticks\na,seq,slow,5\na,seq,slow,-5\n")
	if o := d.run("experience import " + again + " " + poison); o.code != exitUsage ||
		!strings.Contains(o.err, "poison.csv: line 3: ticks") || content(t, again) != exported {
		t.Errorf("%+v", o)
	}
}

func TestWrongSimulationsOfASiteSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	folder, jobs := campus(t)
	broken, _ := campus(t)
	if err := os.WriteFile(filepath.Join(broken, "exec.csv"), []byte("type,kind,resource,ticks\na,seq,moon,1\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	on := "sim run --site " + folder
	for _, c := range [][2]string{
		{"sim run --policy PJS/preempt " + jobs, "PJS/preempt schedules the machines of a site: see --site"},
		{"sim run --experience x.csv " + jobs, "--experience needs --site"},
		{on + " --policy EASY " + jobs, `no policy for a site is called "EASY"`},
		{on + " --nodes 3 " + jobs, "--nodes means nothing with --site"},
		{on + " --period 1us " + jobs, "--period must be a number of whole milliseconds"},
		{on + " --policy SJS --policy PJS --jobs x.csv " + jobs, "--jobs takes one policy"},
		{on + "/none " + jobs, "no such file or directory"},
		{"sim run --site " + broken + " " + jobs,
			`exec.csv: line 2: resource: the site has no machine or class of machines "moon"`},
		{on + " " + filepath.Join(folder, "exec.csv"), `exec.csv: line 1: there is no column "kind"`},
		{on + " --experience - " + jobs, "- is standard input"},
		{on + " --jobs - " + jobs, "- is standard input"},
		{"experience import - " + jobs, "- is standard input"},
		{"experience export --out - " + jobs, "- is standard input"},
		{"experience list none.csv", "open the experience: open none.csv"},
	} {
		if o := d.run(c[0]); o.code != exitUsage || !strings.Contains(o.err, c[1]) {
			t.Errorf("%s: %+v; want %q", c[0], o, c[1])
		}
	}
}
