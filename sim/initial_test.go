package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/workload"
)

// went returns the events of jobs with the given initial positions.
func went(t *testing.T, policy string, nodes []Node, initials ...Initial) (told []string) {
	t.Helper()
	s := setup(t, len(nodes), policy)
	s.Nodes, s.Inspect, s.Initials = nodes, (*cluster.Model).Check, map[int64]Initial{}
	s.Tell = func(e Event) { told = append(told, fmt.Sprint(span(e.At), " ", e)) }
	var jobs []workload.Job
	for i, b := range initials {
		j := workload.Job{ID: int64(10 + i), Tasks: 1, Need: workload.UnitCPU / 2, Memory: workload.UnitMemory / 2,
			Runtime: cluster.Minute}
		jobs = append(jobs, j)
		s.Initials[j.ID] = b
	}
	if _, err := Run(s, jobs); err != nil {
		t.Fatal(err)
	}
	return told
}

func on(share cluster.CPU, nodes ...cluster.NodeID) Initial {
	return Initial{Beginning: cluster.Beginning{Placement: &cluster.Placement{Grant: cluster.Foreground.Grant(share),
		Nodes: nodes}}}
}

func TestASimulationGoesOnFromWhereItsJobsAre(t *testing.T) {
	half := workload.UnitCPU / 2
	drained := Units(2)
	drained[1].Condition = cluster.NodeLeaving
	closed := Units(2)
	closed[0].Condition = cluster.NodeClosed
	labelled := Units(3)
	labelled[2].Labels = []cluster.Pair{{Key: "disk", Value: "fast"}}
	saved := Initial{Beginning: cluster.Beginning{Saved: true}}
	for name, c := range map[string]struct {
		nodes []Node
		jobs  []Initial
		want  []string
	}{
		"what runs stays where it is, and may get more": {Units(2), []Initial{on(half, 2), on(half/2, 2)}, []string{
			"0s j2 gets 50000m", "60s j1 ends after 60s, stretch 1.00", "60s j2 ends after 60s, stretch 1.00"}},
		"what was paused pays for going on": {Units(1), []Initial{saved}, []string{
			"0s j1 resumes on n1, 50000m; pays until 300s", "300s j1 has paid and goes on",
			"360s j1 ends after 360s, stretch 6.00"}},
		"a draining node is left": {drained, []Initial{on(half, 2)}, []string{
			"0s j1 moves from n2 to n1, 50000m; pays until 300s", "300s j1 has paid and goes on",
			"360s j1 ends after 360s, stretch 6.00"}},
		"a cordoned node keeps its jobs and takes no others": {closed, []Initial{on(half, 1), {}}, []string{
			"0s j2 starts on n2, 50000m", "60s j1 ends after 60s, stretch 1.00", "60s j2 ends after 60s, stretch 1.00"}},
		"a job is placed by its rules only": {labelled, []Initial{
			{Rules: cluster.Constraint{Match: []cluster.Pair{{Key: "disk", Value: "fast"}}}},
			{Rules: cluster.Constraint{Nodes: []string{"n2"}}}},
			[]string{"0s j1 starts on n3, 50000m", "0s j2 starts on n2, 50000m", "60s j1 ends after 60s, stretch 1.00",
				"60s j2 ends after 60s, stretch 1.00"}},
		"what does not fit where it was has to be resumed": {Units(1), []Initial{on(half, 1), on(half, 1), on(half, 1)},
			[]string{
				"0s j3 waits for memory: no node that may take its task has 781 GiB left for its VM",
				"60s j1 ends after 60s, stretch 1.00", "60s j2 ends after 60s, stretch 1.00",
				"60s j3 resumes on n1, 50000m; pays until 360s", "360s j3 has paid and goes on",
				"420s j3 ends after 420s, stretch 7.00"}},
	} {
		if diff := cmp.Diff(c.want, went(t, "Greedy *", c.nodes, c.jobs...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Two jobs hold all memory. The one that has had more CPU is paused for a third.
func TestJobsKeepTheirAgeAndVirtualTime(t *testing.T) {
	starved, served := on(workload.UnitCPU/2, 1), on(workload.UnitCPU/2, 1)
	for _, b := range []*Initial{&starved, &served} {
		b.Age, b.Virtual = cluster.Hour, cluster.Minute
	}
	served.Virtual = 50 * cluster.Minute
	told := went(t, "GreedyP *", Units(1), starved, served, Initial{})
	if !slices.ContainsFunc(told, func(line string) bool { return line[:min(len(line), 13)] == "0s j2 pauses:" }) {
		t.Error(told)
	}
}
