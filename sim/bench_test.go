package sim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aliquot/internal/cpu"
	"aliquot/workload"
	"aliquot/workload/gen"
)

// weeks is a folder of prepared traces, as "aliquot workload prepare --split week" writes them:
//
//	go test ./sim -run ^$ -bench Weeks -args -weeks DIR
var weeks = flag.String("weeks", "", "folder of traces for BenchmarkWeeks")

const best = "GreedyPM */per/opt=min/minvt=600"

// BenchmarkWeeks simulates all traces of the folder, one after the other, on 120 nodes like those of the HPC2N log.
func BenchmarkWeeks(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(*weeks, "*.csv*"))
	if err != nil || len(files) == 0 || *weeks == "" {
		b.Skip("needs -weeks: a folder of prepared traces")
	}
	traces := make([][]workload.Job, len(files))
	for i, file := range files {
		traces[i] = read(b, file)
	}
	for b.Loop() {
		jobs, instants, decisions := 0, 0, 0
		for i := range traces {
			result, err := Run(setup(b, 120, best), traces[i])
			if err != nil {
				b.Fatalf("%s: %v", files[i], err)
			}
			jobs, instants, decisions = jobs+len(result.Jobs), instants+result.Instants, decisions+result.Decisions
		}
		b.ReportMetric(float64(jobs), "jobs")
		b.ReportMetric(float64(instants), "instants")
		b.ReportMetric(float64(decisions), "decisions")
	}
}

func read(b *testing.B, name string) []workload.Job {
	b.Helper()
	file, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	jobs, err := workload.Read(file)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return jobs
}

// BenchmarkWeek simulates, for each load, as many jobs as a week of the HPC2N log has.
func BenchmarkWeek(b *testing.B) {
	for _, name := range []string{"FCFS", "EASY", "Greedy *", best} {
		for _, load := range []float64{0.5, 0.7, 0.9} {
			b.Run(fmt.Sprintf("policy=%s/load=%g", name, load), func(b *testing.B) { simulate(b, name, 1115, load) })
		}
	}
}

// BenchmarkLength shows how the time grows with the number of jobs: linearly, unless the
// load is above 1, where the queue grows as well. The long ones take minutes:
//
//	go test ./sim -run ^$ -bench Length -benchtime 1x
func BenchmarkLength(b *testing.B) {
	for _, load := range []float64{0.7, 1.1} {
		for _, count := range []int{1_000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("policy=EASY/load=%g/jobs=%d", load, count), func(b *testing.B) {
				simulate(b, "EASY", count, load)
			})
		}
	}
}

// simulate runs jobs of the Lublin model, scaled to the load, on 128 nodes.
func simulate(b *testing.B, name string, count int, load float64) {
	const nodes = 128
	dice := gen.NewDice(1, 0)
	jobs, err := workload.Scale(gen.Augment(dice, gen.Lublin(dice, nodes, count)), nodes, load)
	if err != nil {
		b.Fatal(err)
	}
	s := setup(b, nodes, name)
	longest := 0
	s.Watch = func(p Progress) error { longest = max(longest, p.Submitted-p.Ended); return nil }
	b.ReportAllocs()
	b.ResetTimer()
	started := cpu.Time(b)
	for b.Loop() {
		result, err := Run(s, jobs)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(result.Instants), "instants")
	}
	b.ReportMetric(float64(b.N*len(jobs))/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(b.N*len(jobs))/(cpu.Time(b)-started).Seconds(), "jobs/cpu-s")
	b.ReportMetric(float64(longest), "jobs-at-once")
}
