package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/webtest"
)

// rich submits a job that uses every field.
func rich(t *testing.T) *desk {
	d := newDesk(t)
	d.Join(t, "n1", 4000, 512*cluster.MiB)
	file := `name: one
tasks: 2
cpu: 500m
memory: 64Mi
command: [/bin/sh, -c]
args: ["echo: $N # no comment", "7", ""]
env: {N: "7", YES: "yes"}
restart: {onFailure: 2, onLoss: false}
limits: {runtime: 2h, logBytes: 1Mi}
estimate: 20m
labels: {team: blue, number: "1.0"}
placement: {nodes: [n1], labels: {zone: a}, spread: false}
`
	if o := d.typeWith(file, "job", "submit", "-f", "-"); o.out != "j1\n" {
		t.Fatalf("%+v", o)
	}
	return d
}

// same fails the test if the jobs are not alike.
func (d *desk) same(one, other cluster.JobID) {
	d.Helper()
	v := d.Latest()
	if diff := cmp.Diff(v.Job(one).Spec, v.Job(other).Spec); diff != "" {
		d.Errorf("%v and %v differ: %s", one, other, diff)
	}
}

func TestAJobIsShownInTheFormThatCanBeSubmittedAgain(t *testing.T) {
	d := rich(t)
	for i, format := range []string{"", " -o yaml", " -o json"} {
		if o := d.typeWith(d.ok("job show j1 --spec"+format), "job", "submit", "-f", "-"); o.code != exitDone {
			t.Fatalf("%s: %+v", format, o)
		}
		d.same(1, cluster.JobID(2+i))
	}
}

func TestAJobIsCopiedWithChanges(t *testing.T) {
	d := rich(t)
	if out := d.ok("job copy j1"); out != "j2\n" {
		t.Errorf("printed %q", out)
	}
	d.same(1, 2)
	d.ok("job copy j1 --memory 128Mi --label try=2 -- /bin/echo --name again")
	s := d.Latest().Job(3).Spec
	if s.Requirement.Memory != 128*cluster.MiB || s.Name != "one" || len(s.Labels) != 3 ||
		strings.Join(append(s.Command, s.Args...), " ") != "/bin/echo --name again" {
		t.Errorf("the copy is %+v", s)
	}
	if o := d.run("job copy -- /bin/true"); o.code != exitUsage {
		t.Errorf("a copy of nothing: %+v", o)
	}
}

func TestACopyIsChangedInTheEditor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := rich(t)
	d.env["EDITOR"] = "sed -i s/500m/250m/"
	d.ok("job copy j1 --edit")
	if s := d.Latest().Job(2).Spec; s.Need != 250 {
		t.Errorf("the copy is %+v", s)
	}
	for editor, want := range map[string]int{"false": exitFailed, "sed -i s/cpu/cpus/": exitUsage} {
		d.env["EDITOR"] = editor
		if o := d.run("job copy j1 --edit"); o.code != want || o.out != "" {
			t.Errorf("%s: %+v", editor, o)
		}
	}
}

func TestHiddenJobsAreNotCopied(t *testing.T) {
	d := rich(t)
	d.env["ALIQUOT_TOKEN"] = webtest.Bob
	for _, line := range []string{"job copy j1", "job edit j1", "job show j1 --spec"} {
		if o := d.run(line); o.code != exitFailed || o.out != "" || !strings.Contains(o.err, "is hidden from you") {
			t.Errorf("%s: %+v", line, o)
		}
	}
}
