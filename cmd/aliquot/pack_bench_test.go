package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"aliquot/packing/study/instance"
)

// manyRows returns distinct tasks as CSV, for a tenth as many nodes.
func manyRows(tasks int) []byte {
	p, _ := instance.Family{Nodes: tasks / 10, Tasks: tasks, PerJob: 1, Memory: 0.7, Need: 2}.Draw(1)
	var text bytes.Buffer
	text.WriteString("id,count,cpu,mem\n")
	for i := range p.Items {
		fmt.Fprintf(&text, "t%d,1,%.6f,%.6f\n", i, p.Items[i].Need/instance.Unit, p.Items[i].Rigid[0]/instance.Unit)
	}
	return text.Bytes()
}

// BenchmarkPackLimit measures which part of its time limit the command uses, as maximum and minimum.
func BenchmarkPackLimit(b *testing.B) {
	program := filepath.Join(b.TempDir(), "aliquot")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for _, tasks := range []int{100_000, 1_000_000} {
		path := filepath.Join(b.TempDir(), "tasks.csv")
		if err := os.WriteFile(path, manyRows(tasks), 0o600); err != nil {
			b.Fatal(err)
		}
		for _, parts := range []int{1, 2, 3, 5, 8} {
			limit := time.Duration(parts*tasks) * time.Microsecond
			b.Run(fmt.Sprintf("%d/%v", tasks, limit), func(b *testing.B) {
				most, least, known := 0.0, 1000.0, 0.0
				for b.Loop() {
					started := time.Now()
					err := exec.Command(program, "pack", "--nodes", fmt.Sprint(tasks/10), "--time-limit", limit.String(), path).Run()
					part := 100 * float64(time.Since(started)) / float64(limit)
					most, least = max(most, part), min(least, part)
					if err == nil {
						known++
					}
				}
				b.ReportMetric(most, "most-%")
				b.ReportMetric(least, "least-%")
				b.ReportMetric(100*known/float64(b.N), "feasible-%")
			})
		}
	}
}
