package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/workload"
)

// reserving simulates a stream on four nodes under a policy of reservations, checks all promises after every instant,
// and returns the rows of --jobs without the columns behind the outcome.
func reserving(t *testing.T, name, stream string) []string {
	t.Helper()
	jobs, err := workload.Read(strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	p, err := catalog.Parse(name, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Run(Setup{Nodes: Units(4), Policy: p, Inspect: (*cluster.Model).Check}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	if err := result.WriteRows(&rows, jobs); err != nil {
		t.Fatal(err)
	}
	var short []string
	for line := range strings.Lines(strings.ReplaceAll(rows.String(), ".000000", "")) {
		short = append(short, strings.Join(strings.Split(line, ",")[:5], ","))
	}
	return short[1:]
}

func TestAReservationIsGrantedAtOnceAndStartsAsPromised(t *testing.T) {
	got := reserving(t, "reserve/FF", `id,submit,tasks,cpu,mem,runtime,ready,deadline
1,0,4,1,0.1,100,50,150
2,0,4,1,0.1,50,,
3,1,1,1,0.1,100,1,151
4,1,4,1,0.1,100,1,300
`)
	want := []string{"1,0,50,150,ended", "2,0,0,50,ended", "3,1,,,refused", "4,1,150,250,ended"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAJobThatEndsEarlyGivesTheRestOfItsIntervalBack(t *testing.T) {
	got := reserving(t, "reserve/FF", `id,submit,tasks,cpu,mem,runtime,estimate,ready,deadline
1,0,4,1,0.1,20,100,,100
2,10,4,1,0.1,50,50,10,110
3,20,4,1,0.1,50,50,20,110
`)
	want := []string{"1,0,0,20,ended", "2,10,,,refused", "3,20,20,70,ended"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAJobThatTakesLongerThanItReservedIsCut(t *testing.T) {
	got := reserving(t, "reserve/PE_W", `id,submit,tasks,cpu,mem,runtime,estimate,ready,deadline
1,0,4,1,0.1,200,100,,100
2,0,4,1,0.1,50,50,0,150
`)
	want := []string{"1,0,0,100,missed", "2,0,100,150,ended"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherPolicyMayMissADeadline(t *testing.T) {
	got := reserving(t, "FCFS", `id,submit,tasks,cpu,mem,runtime,ready,deadline
1,0,4,1,0.1,100,0,100
2,0,4,1,0.1,50,0,149
`)
	want := []string{"1,0,0,100,ended", "2,0,100,150,missed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAJobThatStopsAfterItsDeadlineIsMissedInTheRowsAndInTheSummary(t *testing.T) {
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory,
		Runtime: 100 * cluster.Second, Deadline: 50 * cluster.Second}}
	for at, want := range map[cluster.Time]string{70: "missed", 30: "cancelled"} {
		p, err := catalog.Parse("FCFS", cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		result, err := Run(Setup{Nodes: Units(1), Policy: p,
			Events: []workload.Event{{At: at * cluster.Second, Kind: workload.JobCancels, Job: 1}}}, jobs)
		if err != nil {
			t.Fatal(err)
		}
		var rows strings.Builder
		if err := result.WriteRows(&rows, jobs); err != nil {
			t.Fatal(err)
		}
		missed := result.Summary().Reservations.Missed
		if !strings.Contains(rows.String(), ","+want+",") || (missed == 1) != (want == "missed") {
			t.Errorf("cancelled at %d s: %d missed in\n%s", at, missed, rows.String())
		}
	}
}

func TestTheEndOfAPromisedIntervalIsToldAlsoOfAJobWithoutADeadline(t *testing.T) {
	p, err := catalog.Parse("reserve/FF", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	_, err = Run(Setup{Nodes: Units(1), Policy: p, Tell: func(e Event) { told = append(told, e.String()) }},
		[]workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory,
			Runtime: 100 * cluster.Second, Estimate: 50 * cluster.Second}})
	want := "j1 loses its reservation: it was cut: its promised interval of 50 s is over"
	if err != nil || !slices.Contains(told, want) {
		t.Errorf("%q, %v", told, err)
	}
}

func TestAJobWithSharesIsCompressedForOneThatIsDueEarlier(t *testing.T) {
	stream := `id,submit,tasks,cpu,mem,runtime,ready,deadline
1,0,4,1,0.1,100,0,300
2,10,4,1,0.1,60,50,130
3,10,4,1,0.1,60,50,131
`
	got := reserving(t, "reserve/shares/theta=0", stream)
	if diff := cmp.Diff([]string{"1,0,0,160,ended", "2,10,50,130,ended", "3,10,,,refused"}, got); diff != "" {
		t.Error(diff)
	}
	got = reserving(t, "reserve/PE_W", stream)
	if diff := cmp.Diff([]string{"1,0,0,100,ended", "2,10,,,refused", "3,10,,,refused"}, got); diff != "" {
		t.Error(diff)
	}
}

// Saving the job's 0.8 GB takes 8 seconds. The first time, its node drains before it is back; the second time, after.
func TestAReleasedJobThatIsToReturnToADrainingNodeLosesItsPromise(t *testing.T) {
	p, err := catalog.Parse("reserve/FF", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	job := workload.Job{ID: 1, Tasks: 1, Need: 100, Memory: workload.UnitMemory / 10, Runtime: 20 * cluster.Second,
		Estimate: 100 * cluster.Second}
	for _, x := range []struct {
		drains cluster.Time
		stops  int
	}{{5, 1}, {25, 0}} {
		result, err := Run(Setup{Nodes: Units(1), Policy: p, Cost: PlannedMoves(0.1), Inspect: (*cluster.Model).Check,
			Events: []workload.Event{{At: cluster.Second, Kind: workload.JobHeld, Job: 1},
				{At: 2 * cluster.Second, Kind: workload.JobReleased, Job: 1},
				{At: x.drains * cluster.Second, Kind: workload.NodeDrains, Node: "n1"}}}, []workload.Job{job})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Stopped) != x.stops || len(result.Jobs) != 1-x.stops {
			t.Errorf("drained after %d s: %d stopped, %d ended", x.drains, len(result.Stopped), len(result.Jobs))
		}
	}
}
