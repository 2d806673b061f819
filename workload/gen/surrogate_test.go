package gen

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/workload"
)

// moments are the numbers that the paper of the two tiers states for a model.
type moments struct {
	Surrogate
	tasks, runtime, serial float64
}

var stated = []moments{{Feitelson, 23.4, 2606.6, 0.165}, {Jann, 10.5, 11267, 0.408}}

// A thousand streams of different seeds: each is short, so that repeated runs of a job do not decide.
func independentDraws(s Surrogate) (jobs []workload.Job) {
	for n := range 1000 {
		jobs = append(jobs, s.Draw(NewDice(3, n), 320, 100)...)
	}
	return jobs
}

func TestSurrogatesHaveTheStatedMoments(t *testing.T) {
	for _, m := range stated {
		var tasks, runtimes, serial []float64
		for _, j := range independentDraws(m.Surrogate) {
			one := 0.
			if j.Tasks == 1 {
				one = 1
			}
			tasks, runtimes, serial = append(tasks, float64(j.Tasks)), append(runtimes, j.Runtime.Seconds()), append(serial, one)
		}
		for _, c := range []struct {
			what   string
			sample []float64
			want   float64
		}{{"tasks", tasks, m.tasks}, {"run time", runtimes, m.runtime}, {"serial jobs", serial, m.serial}} {
			mean := stat.Mean(c.sample, nil)
			if math.Abs(mean/c.want-1) > 0.025 {
				t.Errorf("%s: mean %s %.4g of %.4g", m.Name, c.what, mean, c.want)
			}
		}
	}
}

func TestPowersOfTwoAreMoreThanHalfOfTheParallelJobs(t *testing.T) {
	for _, s := range []Surrogate{Feitelson, Jann} {
		powers, parallel := 0, 0
		for _, j := range independentDraws(s) {
			if j.Tasks > 1 {
				parallel++
				if j.Tasks&(j.Tasks-1) == 0 {
					powers++
				}
			}
		}
		if 2*powers < parallel {
			t.Errorf("%s: %d of %d", s.Name, powers, parallel)
		}
	}
}

func TestLargeFeitelsonJobsRunLonger(t *testing.T) {
	var small, large []float64
	for _, j := range independentDraws(Feitelson) {
		if j.Tasks <= 8 {
			small = append(small, j.Runtime.Seconds())
		} else if j.Tasks > 100 {
			large = append(large, j.Runtime.Seconds())
		}
	}
	if a, b := stat.Mean(small, nil), stat.Mean(large, nil); b < 1.3*a {
		t.Errorf("%g s and %g s", a, b)
	}
	mean, deviation := stat.MeanStdDev(small, nil)
	if deviation < 1.1*mean {
		t.Errorf("run times vary as exponential ones do: mean %g, deviation %g", mean, deviation)
	}
}

func TestFeitelsonJobsRunSeveralTimes(t *testing.T) {
	jobs, again := Feitelson.Draw(NewDice(1, 0), 320, draws), 0
	for i := 1; i < len(jobs); i++ {
		if jobs[i].Tasks == jobs[i-1].Tasks && jobs[i].Runtime == jobs[i-1].Runtime {
			again++
		}
	}
	if part := float64(again) / draws; part < 0.35 || part > 0.6 {
		t.Errorf("%.2f of the jobs are repeated runs", part)
	}
}

func TestJannSubmissionsComeInBursts(t *testing.T) {
	for name, c := range map[string]struct {
		Surrogate
		gap, variation float64
	}{"feitelson": {Feitelson, 350, 1}, "jann": {Jann, 391, 1.6}} {
		var gaps []float64
		jobs := c.Draw(NewDice(4, 0), 320, 10*draws)
		for i := 1; i < len(jobs); i++ {
			gaps = append(gaps, (jobs[i].Submit - jobs[i-1].Submit).Seconds())
		}
		mean, deviation := stat.MeanStdDev(gaps, nil)
		if math.Abs(mean/c.gap-1) > 0.02 || math.Abs(deviation/mean-c.variation) > 0.05 {
			t.Errorf("%s: gaps of %g s, variation %g", name, mean, deviation/mean)
		}
	}
}

func TestSurrogateStreamsAreSoundOnAnyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]Surrogate{Feitelson, Jann}).Draw(t, "model")
		dice := NewDice(rapid.Uint64().Draw(t, "seed"), 7)
		nodes, count := rapid.IntRange(1, 2000).Draw(t, "nodes"), rapid.IntRange(1, 150).Draw(t, "jobs")
		jobs := s.Draw(dice, nodes, count)
		if len(jobs) != count || !slices.IsSortedFunc(jobs, workload.Job.Compare) {
			t.Fatalf("%d jobs, or not in order", len(jobs))
		}
		for _, j := range jobs {
			if err := j.Check(); err != nil || j.Tasks > nodes || j.Runtime > longestSurrogateRun*cluster.Second {
				t.Fatalf("%v: %+v", err, j)
			}
		}
		if diff := cmp.Diff(jobs, s.Draw(dice, nodes, count+100)[:count]); diff != "" {
			t.Fatalf("a longer stream begins otherwise:\n%s", diff)
		}
	})
}
