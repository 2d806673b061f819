package sim

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/cluster"
	"aliquot/internal/story"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/workload"
)

// TestStoriesGoAsTold runs testdata/*.txt. "cluster" makes equal nodes n1, n2, …; "submit" submits jobs at their times;
// "run" prints the events under a policy of the catalog or a script that follows. By default nodes have 1000m and 1024
// MiB, and jobs are submitted at 0s, have one task, and need 1000m and 64 MiB.
func TestStoriesGoAsTold(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return new(teller).run })
}

type teller struct {
	nodes []Node
	jobs  []workload.Job
}

func (s *teller) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "cluster":
		count, cpu, memory := 1, 1000, 1024
		d.MaybeScanArgs(t, "nodes", &count)
		d.MaybeScanArgs(t, "cpu", &cpu)
		d.MaybeScanArgs(t, "memory", &memory)
		s.nodes = Units(count)
		for i := range s.nodes {
			s.nodes[i].CPU, s.nodes[i].Memory = cluster.CPU(cpu), cluster.Bytes(memory)*cluster.MiB
		}
		return ""
	case "submit":
		s.jobs = nil
		for line := range strings.Lines(d.Input) {
			s.jobs = append(s.jobs, job(strings.Fields(line)))
		}
		return ""
	case "run":
		return s.tell(t, d)
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}

func job(words []string) workload.Job {
	id, err := cluster.ParseJobID(words[0])
	if err != nil {
		panic(err)
	}
	j := workload.Job{ID: int64(id), Tasks: 1, Need: 1000, Memory: 64 * cluster.MiB}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseFloat(strings.TrimSuffix(value, "s"), 64)
		if err != nil {
			panic(err)
		}
		switch key {
		case "at":
			j.Submit = cluster.Time(n * float64(cluster.Second))
		case "for":
			j.Runtime = cluster.Time(n * float64(cluster.Second))
		case "tasks":
			j.Tasks = int(n)
		case "need":
			j.Need = cluster.CPU(n)
		case "bgrate":
			j.Rate = cluster.Parts(n * float64(cluster.Whole))
		case "eff":
			j.Efficiency = cluster.Parts(n * float64(cluster.Whole))
		case "loss":
			j.Loss = cluster.Parts(n * float64(cluster.Whole))
		case "estimate":
			j.Estimate = cluster.Time(n * float64(cluster.Second))
		case "memory":
			j.Memory = cluster.Bytes(n) * cluster.MiB
		default:
			panic("unknown property " + key)
		}
	}
	return j
}

func (s *teller) tell(t *testing.T, d *datadriven.TestData) string {
	name, period, penalty := strings.ReplaceAll(argument(d, "policy"), "_", " "), 600, 300
	d.MaybeScanArgs(t, "period", &period)
	d.MaybeScanArgs(t, "penalty", &penalty)
	var p policy.Policy = parseScript(d.Input)
	if name != "script" {
		var err error
		if p, err = catalog.Parse(name, cluster.Time(period)*cluster.Second); err != nil {
			d.Fatalf(t, "%v", err)
		}
	}
	kind := "constant"
	d.MaybeScanArgs(t, "cost", &kind)
	cost, err := ParseCost(kind, cluster.Time(penalty)*cluster.Second)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	var estimates Estimates
	if d.HasArg("estimates") {
		estimates = Traced
	}
	var b strings.Builder
	result, err := Run(Setup{
		Nodes: s.nodes, Policy: p, Cost: cost, Impossible: impossible(d), Estimates: estimates,
		Tell:    func(e Event) { fmt.Fprintf(&b, "%7s %v\n", span(e.At), e) },
		Inspect: (*cluster.Model).Check,
	}, s.jobs)
	if err != nil {
		fmt.Fprintf(&b, "%v\n", err)
		return b.String()
	}
	sum := result.Summary()
	fmt.Fprintf(&b, "bounded stretch: greatest %.2f, mean %.2f; per job %.3g preemptions, %.3g migrations\n",
		sum.MaxBoundedStretch, sum.AvgBoundedStretch, sum.PreemptionsPerJob, sum.MigrationsPerJob)
	return b.String()
}

func impossible(d *datadriven.TestData) Impossible {
	if d.HasArg("skip") {
		return Skip
	}
	return Refuse
}

func argument(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return strings.Join(a.Vals, "=")
		}
	}
	return ""
}
