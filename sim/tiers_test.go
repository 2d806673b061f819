package sim

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/workload"
)

func TestABackgroundTaskHasWhatTheForegroundLeaves(t *testing.T) {
	const node = workload.UnitCPU
	busy := func(use cluster.CPU) Place { return Place{CPU: node, Use: use, Foreground: 1, Background: 1} }
	one, many := workload.Job{Tasks: 1, Need: node}, workload.Job{Tasks: 2, Need: node / 2}
	told, given := one, many
	told.Rate, given.Efficiency = 300_000, 600_000
	for _, c := range []struct {
		name  string
		job   workload.Job
		place Place
		want  cluster.Parts
	}{
		{"alone", one, Place{CPU: node, Background: 1}, cluster.Whole},
		{"half is left to a single process", one, busy(node / 2), 430_000},
		{"half is left to one of several that use half", many, busy(node / 2), 482_000},
		{"its own efficiency", given, busy(node / 2), 600_000},
		{"never more than full speed", given, busy(node / 100), cluster.Whole},
		{"its own rate, however much is left", told, busy(node / 100), 300_000},
		{"just below the threshold", one, busy(node * 95 / 100), 43_000},
		{"at the threshold", told, busy(node * 96 / 100), 0},
		{"two share what is left", one, Place{CPU: node, Use: node / 2, Foreground: 1, Background: 2}, 215_000},
	} {
		p := &cluster.Placement{Grant: cluster.Background.Grant(c.job.Need), Nodes: make([]cluster.NodeID, c.job.Tasks)}
		own := func(int) cluster.CPU { return c.job.Need }
		if got := (Tiers{}).Rate(&c.job, p, own, func(int) Place { return c.place }); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestABackgroundJobOfAStreamTakesNothingFromStandardJobs(t *testing.T) {
	jobs := []workload.Job{
		{ID: 1, Tasks: 1, Need: workload.UnitCPU / 2, Memory: workload.UnitMemory / 4, Runtime: 100 * cluster.Second},
		{ID: 2, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory / 4, Runtime: 100 * cluster.Second,
			Class: cluster.BackgroundClass, Efficiency: cluster.Whole},
	}
	r, err := Run(setup(t, 1, "GreedyPM *"), jobs)
	if err != nil {
		t.Fatal(err)
	}
	if one, two := r.Jobs[0].Ended, r.Jobs[1].Ended; one != 100*cluster.Second || two != 150*cluster.Second {
		t.Errorf("the standard job ends at %v, the other at %v", one, two)
	}
}

func TestAForegroundJobLosesOnlyWhileItShares(t *testing.T) {
	j := workload.Job{Tasks: 2, Need: workload.UnitCPU, Loss: 40_000}
	p := &cluster.Placement{Grant: cluster.Foreground.Grant(j.Need), Nodes: []cluster.NodeID{1, 2}}
	for shared, want := range map[int]cluster.Parts{-1: cluster.Whole, 1: 960_000} {
		on := func(task int) Place {
			at := Place{CPU: workload.UnitCPU, Use: j.Need, Foreground: 1}
			if task == shared {
				at.Background = 1
			}
			return at
		}
		if got := (Tiers{}).Rate(&j, p, func(int) cluster.CPU { return j.Need }, on); got != want {
			t.Errorf("the processor of task %d is shared: %d, want %d", shared, got, want)
		}
	}
}

func TestUsesOfProcessesDifferAndStayTheSame(t *testing.T) {
	one, many := workload.Job{ID: 7, Tasks: 1, Need: 5}, workload.Job{ID: 8, Tasks: 1000, Need: 5}
	if PerProcess.Of(&one, 0) != 5 || PerJob.Of(&many, 3) != 5 {
		t.Error("a single process, and any by job, uses the need of the stream")
	}
	sum, seen := cluster.CPU(0), map[cluster.CPU]bool{}
	for i := range many.Tasks {
		use := PerProcess.Of(&many, i)
		if use < workload.UnitCPU*40/100 || use > workload.UnitCPU || use != PerProcess.Of(&many, i) {
			t.Fatalf("process %d uses %v", i, use)
		}
		sum, seen[use] = sum+use, true
	}
	if mean := sum / 1000; mean < workload.UnitCPU*68/100 || mean > workload.UnitCPU*72/100 || len(seen) < 900 {
		t.Errorf("the mean is %v, with %d different uses", mean, len(seen))
	}
}

func TestASwapOfTiersCostsNothing(t *testing.T) {
	jobs := []workload.Job{
		{ID: 1, Tasks: 1, Need: workload.UnitCPU / 2, Memory: workload.UnitMemory / 10, Runtime: 10 * cluster.Second},
		{ID: 2, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory / 10, Runtime: 40 * cluster.Second,
			Rate: cluster.Whole / 2},
	}
	for _, name := range []string{"KEASY", "REASY", "MEASY"} {
		result, err := Run(setup(t, 1, name), jobs)
		if err != nil {
			t.Fatal(err)
		}
		if o := result.Jobs[1]; o.Ended != 45*cluster.Second || o.Foreground != 10*cluster.Second || o.Swaps != 1 ||
			o.Kills+o.Migrations+o.Preemptions != 0 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestABackgroundTaskHasWhatTheForegroundOfItsCoreLeaves(t *testing.T) {
	var jobs []workload.Job
	for id, need := range []cluster.CPU{900, 500, 1000, 500} { // the last two in the background of cores 2 and 1
		jobs = append(jobs, workload.Job{ID: int64(id + 1), Submit: cluster.Time(id) * cluster.Second, Tasks: 1, Need: need,
			Memory: workload.UnitMemory / 10, Runtime: 100 * cluster.Second, Efficiency: cluster.Whole})
	}
	s := setup(t, 1, "MEASY")
	s.Nodes = []Node{{Name: "n1", CPU: 2 * cluster.Core, Memory: workload.UnitMemory, Cores: 2}}
	result, err := Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []cluster.Time{100_000, 101_000, 151_000, 181_600} { // the last two had 0.5 and 0.2 of full speed
		o := result.Jobs[i]
		if o.Ended != want*cluster.Second/1000 || o.Migrations+o.Kills > 0 || o.Swaps != i/2 {
			t.Errorf("job %d ends at %v s: %+v", o.ID, o.Ended.Seconds(), o)
		}
	}
}

// A new standard job takes the memory of one that has run. Background jobs take turns by the order of submission.
func TestManyShortJobsOfTheBackgroundPauseNoneOfThem(t *testing.T) {
	paused := map[cluster.Class]int{}
	for _, class := range []cluster.Class{cluster.StandardClass, cluster.BackgroundClass} {
		p, err := catalog.Parse("GreedyPM */stable", cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		jobs := make([]workload.Job, 30)
		for i := range jobs {
			jobs[i] = workload.Job{ID: int64(i + 1), Submit: cluster.Time(i) * cluster.Second / 4, Tasks: 1,
				Need: workload.UnitCPU / 12, Memory: workload.UnitMemory / 11, Runtime: 20 * cluster.Second, Class: class}
		}
		result, err := Run(Setup{Nodes: Units(1), Policy: p, Cost: PlannedMoves(0.4)}, jobs)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Jobs {
			paused[class] += o.Preemptions
		}
	}
	if paused[cluster.BackgroundClass] != 0 || paused[cluster.StandardClass] == 0 {
		t.Errorf("pauses: %v", paused)
	}
}
