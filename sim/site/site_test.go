package site

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"aliquot/policy/hetero"
)

// small is a site of three machines, two of them in a cluster, and one that is down.
func small() map[string]string {
	return map[string]string{
		machinesFile: "machine,mclass,cluster,up\nm1,slow,c1,1\nm2,slow,c1,1\nm3,fast,,1\nm4,fast,,0\n",
		clustersFile: "cluster,cclass,min_members\nc1,pair,\n",
		timesFile:    "type,kind,resource,ticks\na,seq,slow,100\na,seq,fast,60\na,par,pair,45\nb,seq,fast,30\nb,seq,slow,50\nb,seq,m1,40\n",
	}
}

func folder(files map[string]string) fs.FS {
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

func smallSite(t *testing.T) *Site {
	t.Helper()
	s, err := Read(folder(small()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTimesOfAMachineWinOverThoseOfItsClass(t *testing.T) {
	s := smallSite(t)
	got := fmt.Sprint(s.Times.Types, s.Times.Sequential, s.Times.Parallel, s.Times.Groups)
	n := hetero.Never
	want := fmt.Sprint([]string{"a", "b"}, [][]hetero.Ticks{{100, 100, 60, n}, {40, 50, 30, n}},
		[][]hetero.Ticks{{45}, {n}}, [][]int{{0, 1}})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestASiteWithoutClustersNeedsNoFileOfThem(t *testing.T) {
	files := map[string]string{machinesFile: "up,machine,mclass,cluster\ntrue,m1,x,\n",
		timesFile: "type,kind,resource,ticks\n"}
	if s, err := Read(folder(files)); err != nil || len(s.Machines) != 1 {
		t.Error(err)
	}
}

func TestWrongSitesAreRefusedWithFileAndLine(t *testing.T) {
	for want, change := range map[string]func(map[string]string){
		"machines.csv: line 6: machine m1 is also on line 2":                       line(machinesFile, "m1,slow,,1"),
		"machines.csv: line 6: machine c1 is a cluster too":                        line(machinesFile, "c1,slow,c1,1"),
		`machines.csv: line 6: cluster: clusters.csv has no cluster "c9"`:          line(machinesFile, "m5,slow,c9,1"),
		`machines.csv: line 6: up: "maybe" is neither 1 nor 0`:                     line(machinesFile, "m5,slow,,maybe"),
		`machines.csv: line 6: machine: "" is not a name`:                          line(machinesFile, ",slow,,1"),
		"machines.csv: line 6: slow is also the name of a class":                   line(machinesFile, "slow,other,,1"),
		"clusters.csv: line 3: cluster c1 is also on line 2":                       line(clustersFile, "c1,pair,2"),
		"clusters.csv: line 3: cluster c2 is empty":                                line(clustersFile, "c2,pair,"),
		`clusters.csv: line 3: min_members: "0" is not a number of machines`:       line(clustersFile, "c2,pair,0"),
		"exec.csv: line 8: a par pair is also on line 4":                           line(timesFile, "a,par,pair,7"),
		`exec.csv: line 8: resource: the site has no machine or class of machines`: line(timesFile, "a,seq,pair,7"),
		`exec.csv: line 8: resource: the site has no cluster`:                      line(timesFile, "a,par,slow,7"),
		`exec.csv: line 8: kind: "both" is neither seq nor par`:                    line(timesFile, "a,both,slow,7"),
		`exec.csv: line 8: ticks: "-7" is not a whole number`:                      line(timesFile, "c,seq,slow,-7"),
		`exec.csv: line 8: ticks: "0" is not a whole number`:                       line(timesFile, "c,seq,slow,0"),
		`exec.csv: line 8: ticks: "31536000000" is not`:                            line(timesFile, "c,seq,slow,31536000000"),
		"exec.csv: record on line 8: wrong number of fields":                       line(timesFile, "c,seq"),
		`exec.csv: line 1: there is no column "time"`: func(f map[string]string) {
			f[timesFile] = "type,kind,resource,time\n"
		},
		"exec.csv: line 1: the header must be type,kind,resource,ticks; ticks is missing": func(f map[string]string) {
			f[timesFile] = "type,kind,resource\n"
		},
		"clusters.csv: line 2: min_members: cluster c1 needs 3 members up, but has 2": func(f map[string]string) {
			f[clustersFile] = "cluster,cclass,min_members\nc1,pair,3\n"
		},
		"machines.csv: a site needs a machine": func(f map[string]string) {
			f[machinesFile], f[clustersFile] = "machine,mclass,cluster,up\n", "cluster,cclass,min_members\n"
		},
		"machines.csv: file does not exist": func(f map[string]string) { delete(f, machinesFile) },
	} {
		files := small()
		change(files)
		if _, err := Read(folder(files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// line adds a line to a file.
func line(file, text string) func(map[string]string) {
	return func(files map[string]string) { files[file] += text + "\n" }
}

func TestAbsurdlyManyTimesAreRefused(t *testing.T) {
	files := small()
	var types strings.Builder
	for i := range mostTypes {
		fmt.Fprintf(&types, "t%d,seq,m1,5\n", i)
	}
	files[timesFile] += types.String()
	_, err := Read(folder(files))
	if err == nil || !strings.Contains(err.Error(), "exec.csv: line 10006: 10001 types on 5") {
		t.Error(err)
	}
}

func TestWrongStreamsAreRefusedWithTheirLine(t *testing.T) {
	s := smallSite(t)
	for want, text := range map[string]string{
		"jobs.csv: line 3: id x is also on line 2":         "x,0,a,H\nx,5,b,L",
		`jobs.csv: line 2: submit: "-1" is not`:            "x,-1,a,H",
		`jobs.csv: line 2: submit: "1.5" is not`:           "x,1.5,a,H",
		`jobs.csv: line 2: type: exec.csv has no times of`: "x,0,c,H",
		`jobs.csv: line 2: priority: "h" is none of`:       "x,0,a,h",
		`jobs.csv: line 2: id: "" is not a name`:           ",0,a,H",
		`jobs.csv: line 2: id: "=1" must not begin with =`: "=1,0,a,H",
		`jobs.csv: line 2: id: "a\tb" must not begin with`: "a\tb,0,a,H",
		"jobs.csv: after line 2: a line is longer than":    "x,0,a,H\n\"" + strings.Repeat("x\n", 50_000) + "\",0,a,H",
		`"` + strings.Repeat("y", 60) + `" is none of`:     "x,0,a," + strings.Repeat("y", 1000),
	} {
		_, err := s.ReadJobs(strings.NewReader("id,submit,type,priority\n"+text+"\n"), "jobs.csv")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

func FuzzReadingASiteNeverFailsBadly(f *testing.F) {
	files := small()
	f.Add(files[machinesFile], files[clustersFile], files[timesFile], "id,submit,type,priority\nx,0,a,H\ny,3,b,L\n")
	f.Add("machine,mclass,cluster,up\na,b,a,1\nb,a,b,1\n", "cluster,cclass,min_members\na,b,\n", "", "")
	f.Fuzz(func(t *testing.T, machines, clusters, times, jobs string) {
		s, err := Read(folder(map[string]string{machinesFile: machines, clustersFile: clusters, timesFile: times}))
		if err != nil {
			return
		}
		stream, err := s.ReadJobs(strings.NewReader(jobs), "jobs.csv")
		if err != nil || len(stream) > 50 {
			return
		}
		fates, err := Run(Setup{Site: s, Policy: policyOf(t, "PJS/preempt"), Period: 1 << 40, Skip: true}, stream)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(fates); err != nil {
			t.Fatal(err)
		}
	})
}
