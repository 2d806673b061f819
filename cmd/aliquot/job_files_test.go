package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// leaving returns a desk whose jobs j1, with two tasks, and j2 keep files; j3 names none.
func leaving(t *testing.T) *desk {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 512*cluster.MiB)
	d.ok("job submit --tasks 2 --cpu 500m --memory 64Mi --result results --result log -- /bin/true")
	d.ok("job submit --cpu 500m --memory 64Mi --result out -- /bin/true")
	d.ok("job submit --cpu 500m --memory 64Mi -- /bin/true")
	d.Run(t, 1, 500, n1, n1)
	d.Run(t, 2, 500, n1)
	d.Run(t, 3, 500, n1)
	return d
}

func TestAJobWithoutResultsIsSaidToNameNone(t *testing.T) {
	d := leaving(t)
	if out := d.ok("job files j3"); out != "j3 names no files to keep; --result of `aliquot job submit` names them.\n" {
		t.Errorf("files: %s", out)
	}
	if out := d.ok("job files j3 -o json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("files as JSON: %s", out)
	}
	dir := filepath.Join(t.TempDir(), "j3")
	if o := d.run("job get j3 -d " + dir); o.code != exitFailed || !strings.Contains(o.err, "j3 names no files to keep") {
		t.Errorf("get: %+v", o)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("get leaves an empty folder")
	}
}

func TestNumbersBelowAllAreRefused(t *testing.T) {
	d := leaving(t)
	for _, line := range []string{"job logs j1 --task -2", "job files j1 --task -2", "job get j1 --task -2",
		"job list --limit -1"} {
		if o := d.run(line); o.code != exitUsage || !strings.Contains(o.err, "must be ") {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestADownloadOfNothingMakesNoFolder(t *testing.T) {
	d := leaving(t)
	d.Leave(cluster.RunID{Job: 2, Number: 1}, nil)
	dir := filepath.Join(t.TempDir(), "j2")
	d.run("job get j2 -d " + dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("an empty folder is left")
	}
}

func TestFilesOfTasksAreListedAndSavedBelowAFolder(t *testing.T) {
	d := leaving(t)
	d.Leave(cluster.RunID{Job: 1, Index: 0, Number: 1}, map[string]string{"results/a.csv": "1,2", "log": "x"})
	d.Leave(cluster.RunID{Job: 1, Index: 1, Number: 1}, map[string]string{"results/a.csv": "3"})
	for _, want := range []string{"0     1    3 B   results/a.csv", "core", "not kept: it is larger than what limits."} {
		if out := d.ok("job files j1"); !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	dir := t.TempDir()
	if o := d.run("job get j1 -d " + dir); o.code != exitFailed || !strings.Contains(o.err,
		"task 1: core was not kept: it is larger than") || !strings.Contains(o.err, "not all files of j1 are there") {
		t.Errorf("without one that was not kept: %+v", o)
	}
	d.ok("job get j1 results/*.csv -d " + filepath.Join(dir, "only") + " --task 1")
	for path, want := range map[string]string{"0/results/a.csv": "1,2", "0/log": "x", "1/results/a.csv": "3"} {
		if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if o := d.run("job get j1 -d " + dir); o.code != exitFailed || !strings.Contains(o.err, "is there already; --force") {
		t.Errorf("once more: %+v", o)
	}
	d.ok("job get j1 results --force -d " + dir)
	if o := d.run("job get j1 none -d " + dir); o.code != exitFailed || !strings.Contains(o.err, "no such file") {
		t.Errorf("an unknown file: %+v", o)
	}
	if o := d.run("job files j2"); o.code != exitFailed || !strings.Contains(o.err, "no files of the run are kept") {
		t.Errorf("a task without files: %+v", o)
	}
}

func TestADownloadNeitherLeavesItsFolderNorKeepsAPart(t *testing.T) {
	d := leaving(t)
	dir := t.TempDir()
	run := cluster.RunID{Job: 2, Number: 1}
	d.Leave(run, map[string]string{"out/passwd": "x"})
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if o := d.run("job get j2 -d " + dir); o.code != exitFailed || !strings.Contains(o.err, "escapes") {
		t.Errorf("through a link: %+v", o)
	}
	d.Leave(run, map[string]string{"part": webtest.Damaged})
	if o := d.run("job get j2 -d " + dir); o.code != exitFailed {
		t.Errorf("a damaged file: %+v", o)
	}
	if _, err := os.Stat(filepath.Join(dir, "part")); err == nil {
		t.Error("a part of a file is kept")
	}
}

func TestADownloadTellsWhatATaskHasNotLeft(t *testing.T) {
	omitting := func(code string) api.Results {
		return api.Results{Complete: true, OmittedCount: 1,
			Omitted: []api.OmittedResult{{Path: "out/a\n", Code: code, Text: "a reason"}}}
	}
	for name, c := range map[string]struct {
		results api.Results
		pattern string
		told    string
		missing bool
	}{
		"all there":     {api.Results{Complete: true}, "", "", false},
		"one too large": {omitting("too_large"), "out", "out/a? was not", true},
		"one elsewhere": {omitting("too_large"), "log", "", false},
		"no such path":  {omitting("unmatched"), "", "a reason", true},
		"no match": {api.Results{Complete: true, OmittedCount: 1,
			Omitted: []api.OmittedResult{{Path: "out/*.csv", Code: "unmatched", Text: "a reason"}}}, "", "a reason", false},
		"too many":        {api.Results{Complete: true, OmittedCount: 2}, "log", "2 more files not kept", true},
		"still running":   {api.Results{}, "", "the task has not ended", true},
		"a damaged guest": {api.Results{Damaged: true}, "", "the rest was damaged", true},
	} {
		var told strings.Builder
		missing := (&app{err: &told}).tellMissing(taskFiles{3, c.results}, c.pattern)
		if missing != c.missing || !strings.Contains(told.String(), c.told) || (told.Len() > 0) != (c.told != "") {
			t.Errorf("%s: %v, %q", name, missing, told.String())
		}
	}
}
