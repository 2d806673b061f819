package gen

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/internal/story"
	"aliquot/workload"
)

func trace(seed uint64, number, nodes, count int, kinds ...Kind) []workload.Job {
	dice := NewDice(seed, number)
	return Augment(dice, Lublin(dice, nodes, count, kinds...))
}

// A published seed must keep its stream: a change here changes everybody's workloads.
func TestSeedsKeepTheirStreams(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return draw })
}

func draw(t *testing.T, d *datadriven.TestData) string {
	var seed, number, nodes, count int
	var kinds []Kind
	d.ScanArgs(t, "seed", &seed)
	d.ScanArgs(t, "number", &number)
	d.ScanArgs(t, "nodes", &nodes)
	d.ScanArgs(t, "jobs", &count)
	if d.HasArg("kinds") {
		var list string
		var err error
		d.ScanArgs(t, "kinds", &list)
		if kinds, err = ParseKinds(list); err != nil {
			return err.Error()
		}
	}
	dice := NewDice(uint64(seed), number)
	jobs := map[string]func() []workload.Job{
		"lublin":    func() []workload.Job { return trace(uint64(seed), number, nodes, count, kinds...) },
		"feitelson": func() []workload.Job { return Feitelson.Draw(dice, nodes, count) },
		"jann":      func() []workload.Job { return Jann.Draw(dice, nodes, count) },
	}[d.Cmd]()
	if d.HasArg("estimates") {
		var hours int
		var err error
		d.ScanArgs(t, "estimates", &hours)
		if jobs, _, err = Estimates(dice, jobs, cluster.Time(hours)*cluster.Hour); err != nil {
			return err.Error()
		}
	}
	var b bytes.Buffer
	if err := workload.Write(&b, jobs); err != nil {
		return err.Error()
	}
	return b.String()
}

func TestStreamsAreSoundOnAnyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, nodes := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 5000).Draw(t, "nodes")
		kinds := rapid.SliceOfN(rapid.SampledFrom([]Kind{Batch, Interactive, All}), 0, 3).Draw(t, "kinds")
		jobs := trace(seed, 7, nodes, 100, kinds...)
		if !slices.IsSortedFunc(jobs, workload.Job.Compare) {
			t.Fatal("not in order")
		}
		for _, j := range jobs {
			if err := j.Check(); err != nil || j.Tasks > nodes || j.Runtime < cluster.Second || j.Runtime%cluster.Second != 0 ||
				j.Submit%cluster.Second != 0 {
				t.Fatalf("%v: %+v", err, j)
			}
			if want := workload.UnitCPU / 4; (j.Tasks == 1) != (j.Need == want) {
				t.Fatalf("%d tasks need %v", j.Tasks, j.Need)
			}
		}
		if diff := cmp.Diff(jobs, trace(seed, 7, nodes, 100, kinds...)); diff != "" {
			t.Fatalf("the same seed again:\n%s", diff)
		}
	})
}

func TestLongerStreamsBeginAsShorterOnes(t *testing.T) {
	if diff := cmp.Diff(trace(5, 0, 128, 100), trace(5, 0, 128, 1000)[:100]); diff != "" {
		t.Error(diff)
	}
}

func TestMemoryIsDrawnAsTheReportSays(t *testing.T) {
	jobs := trace(6, 0, 128, draws)
	observed, expected := make([]float64, 10), make([]float64, 10)
	var tasks, memory []float64
	for _, j := range jobs {
		tenth := int(math.Round(10 * float64(j.Memory) / float64(workload.UnitMemory)))
		observed[tenth-1]++
		tasks, memory = append(tasks, math.Log(float64(j.Tasks))), append(memory, float64(tenth))
	}
	for i := range expected {
		expected[i] = 0.05 * draws
	}
	expected[0] = 0.55 * draws
	if p := (distuv.ChiSquared{K: 9}).Survival(stat.ChiSquare(observed, expected)); p < 0.001 {
		t.Errorf("%v of expected %v: p = %g", observed, expected, p)
	}
	if r := stat.Correlation(tasks, memory, nil); math.Abs(r) > 3.3/math.Sqrt(draws) {
		t.Errorf("memory and size are correlated: %v", r)
	}
}

func TestStreamsOfOneSeedAreIndependent(t *testing.T) {
	var a, b []float64
	for n := range 50 {
		one, other := trace(8, n, 128, 100), trace(8, n+1, 128, 100)
		for i := range one {
			a, b = append(a, math.Log(one[i].Runtime.Seconds())), append(b, math.Log(other[i].Runtime.Seconds()))
		}
	}
	if r := stat.Correlation(a, b, nil); math.Abs(r) > 4/math.Sqrt(float64(len(a))) {
		t.Errorf("correlation %v", r)
	}
}

func TestUnknownKindsAreNamed(t *testing.T) {
	if _, err := ParseKinds("batch,bath"); err == nil ||
		!strings.Contains(err.Error(), `"bath"; there are batch, interactive and all`) {
		t.Error(err)
	}
}

func BenchmarkLublin(b *testing.B) {
	for b.Loop() {
		trace(1, 0, 128, 1000)
	}
	b.ReportMetric(1000*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
