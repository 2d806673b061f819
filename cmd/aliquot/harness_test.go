package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/webtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC
	goleak.VerifyTestMain(m)
}

// desk is a cluster behind REST and a user who types commands.
type desk struct {
	*webtest.Cluster
	testing.TB
	env map[string]string
}

func newDesk(t testing.TB) *desk {
	c := webtest.New(t)
	server := c.Serve(t)
	return &desk{c, t, map[string]string{"ALIQUOT_MANAGERS": server.URL, "ALIQUOT_TOKEN": webtest.Admin}}
}

// outcome is the result of a command.
type outcome struct {
	code     int
	out, err string
}

// patience is longer than a passing test ever waits.
const patience = 3 * time.Minute

func (d *desk) typeWith(input string, args ...string) outcome {
	d.Helper()
	return d.do(&app{in: strings.NewReader(input)}, args)
}

// answer runs a command line at a terminal, where a person types the answer.
func (d *desk) answer(answer, line string) outcome {
	d.Helper()
	return d.do(&app{in: strings.NewReader(answer + "\n"), person: true}, strings.Fields(line))
}

func (d *desk) do(a *app, args []string) outcome {
	d.Helper()
	return d.doUntil(context.Background(), a, args...)
}

// doUntil is do with a context, which a user interrupts.
func (d *desk) doUntil(ctx context.Context, a *app, args ...string) outcome {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var out, err strings.Builder
	if a.out == nil {
		a.out = &out
	}
	if a.err == nil {
		a.err = &err
	}
	a.env = func(name string) (string, bool) {
		value, ok := d.env[name]
		return value, ok
	}
	code := a.run(ctx, args)
	return outcome{code, out.String(), err.String()}
}

// run runs a command line, split at spaces.
func (d *desk) run(line string) outcome {
	d.Helper()
	return d.typeWith("", strings.Fields(line)...)
}

// ok runs a command line that must succeed, and returns its standard output.
func (d *desk) ok(line string) string {
	d.Helper()
	o := d.run(line)
	if o.code != exitDone {
		d.Fatalf("aliquot %s: exit code %d\n%s%s", line, o.code, o.out, o.err)
	}
	return o.out
}

func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// busy returns a desk whose cluster has jobs and nodes in every state.
func busy(t testing.TB) *desk {
	d := newDesk(t)
	n1, n2 := d.Join(t, "n1", 1200, 512*cluster.MiB), d.Join(t, "n2", 600, 256*cluster.MiB)
	d.ok("job submit --name render --tasks 2 --cpu 1 --memory 64Mi --label team=blue -- /bin/render --all")
	d.ok("job submit --name probe --cpu 500m --memory 64Mi -- /bin/probe")
	d.ok("job submit --name broken --cpu 100m --memory 32Mi -- /bin/false")
	d.ok("job submit --name later --cpu 100m --memory 32Mi -- /bin/true")
	d.ok("job submit --name big --tasks 2 --cpu 1 --memory 128Mi -- /bin/big")
	d.Run(t, 1, 500, n1, n2)
	d.Run(t, 2, 250, n1)
	d.Run(t, 3, 100, n1)
	d.SetUsage(cluster.RunID{Job: 1, Index: 0, Number: 1}, 497, 40*cluster.MiB)
	d.SetUsage(cluster.RunID{Job: 1, Index: 1, Number: 1}, 489, 40*cluster.MiB)
	d.SetUsage(cluster.RunID{Job: 2, Index: 0, Number: 1}, 251, 40*cluster.MiB)
	d.SetHost(n1, web.Host{CPU: 1100, CPUs: 2000, MemoryUsed: 700 * cluster.MiB, Memory: 1024 * cluster.MiB,
		DiskUsed: 30 * 1024 * cluster.MiB, Disk: 40 * 1024 * cluster.MiB})
	d.Advance(90 * cluster.Second)
	d.Exit(t, cluster.RunID{Job: 3, Number: 1}, 1)
	d.ok("job hold j4")
	d.Place(t, 2, 250, n2)
	d.Move(t, cluster.Move{Kind: cluster.Migrate, Task: cluster.TaskID{Job: 2}, From: n1, To: n2, CPU: 250})
	d.Must(t, cluster.Adopt{Basis: d.Latest().Revision,
		Why: []cluster.Reason{{Job: 5, Code: cluster.WhyNoMemory, Values: []int64{int64(128 * cluster.MiB), 1, 2}}}})
	d.Advance(30 * cluster.Second)
	d.Others = []web.Replica{{ID: 2}}
	return d
}
