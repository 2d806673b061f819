package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/workload"
)

// Job 3 has room in the background of n1 alone. Job 1 is held at 5 s, and its memory of n2 is written until 8 s. KEASY
// gives up the work of job 3, which stops at once and starts on n2 when there is room.
func TestAJobThatWaitsToStartAnewDoesNotPause(t *testing.T) {
	job := func(id int64, memory cluster.Bytes) workload.Job {
		return workload.Job{ID: id, Tasks: 1, Need: 1000, Memory: memory * cluster.MiB, Runtime: cluster.Minute}
	}
	p, err := catalog.Parse("KEASY", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	node := Node{Name: "n1", CPU: 1000, Memory: 1000 * cluster.MiB}
	s := Setup{Nodes: []Node{node, node}, Policy: p, Cost: PlannedMoves(0.001), Inspect: (*cluster.Model).Check,
		Events: []workload.Event{{At: 5 * cluster.Second, Kind: workload.JobHeld, Job: 1},
			{At: 90 * cluster.Second, Kind: workload.JobReleased, Job: 1}}}
	s.Nodes[1].Name = "n2"
	var told []string
	s.Tell = func(e Event) {
		if e.Job == 3 {
			told = append(told, fmt.Sprint(e.At.Seconds(), " ", e))
		}
	}
	jobs := []workload.Job{job(1, 600), job(2, 100), job(3, 500)}
	jobs[1].Need = 700 // it leaves something to a background
	if _, err := Run(s, jobs); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 j3 starts in the background on n1, 1000m", "8 j3 starts anew on n2, 1000m"}
	if len(told) != 3 || !slices.Equal(told[:2], want) || !strings.Contains(told[2], "j3 ends") {
		t.Errorf("%s", strings.Join(told, "\n"))
	}
}
