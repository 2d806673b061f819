package check

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// moving simulates the jobs where moves take time, and returns everything that Schedule checks.
func moving(t interface{ Fatalf(string, ...any) }, s sim.Setup, jobs []workload.Job) (sim.Setup, sim.Result,
	sim.Recording) {
	var seen sim.Recording
	seen.Observe(&s)
	result, err := sim.Run(s, jobs)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s, result, seen
}

func TestPoliciesProduceSchedulesThatHoldWhereMovesTakeTime(t *testing.T) {
	for _, name := range append(representative(), "EASY/cores/per-node=4", "GreedyPM */per/opt=min/minvt=600",
		"/stretch-per/opt=avg/minft=300") {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs, nodes := drawJobs(t), rapid.IntRange(1, 4).Draw(t, "nodes")
				p, err := catalog.Parse(name, 600*cluster.Second)
				if err != nil {
					t.Fatal(err)
				}
				initials := map[int64]sim.Initial{}
				if !batchOf(name).is && !shares(name) { // these policies refuse jobs where they would not have put them
					initials = drawInitials(t, jobs, nodes)
				}
				s, result, seen := moving(t, sim.Setup{Nodes: sim.Units(nodes), Policy: p, Impossible: sim.Skip,
					Cost:   sim.PlannedMoves(rapid.SampledFrom([]float64{0.003, 0.05, 10}).Draw(t, "bandwidth")),
					Events: drawEvents(t, jobs, nodes), Initials: initials}, jobs)
				if err := Schedule(s, jobs, result, seen); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// shuttle starts job 1 on the first node, and moves it to the second one when job 2 comes, which starts on the first.
type shuttle struct{}

func (shuttle) Decide(v *cluster.View) policy.Decision {
	target := v.TargetAll().Clone()
	for j := range v.Candidates() {
		node := cluster.NodeID(1)
		if second := v.Node(2); j.ID == 1 && v.Job(2) != nil && v.Condition(second) == cluster.NodeOpen {
			node = 2
		}
		p := &cluster.Placement{Grant: cluster.Foreground.Grant(j.Spec.Need), Nodes: []cluster.NodeID{node}}
		if old := target.Get(j.ID); old == nil || !old.Equal(p) {
			target.Set(j.ID, p)
		}
	}
	return policy.Decision{Target: target}
}

// Job 1 moves at 2 s and arrives at 6 s. Job 2 waits for its memory. Job 1 is held from 8 s on: it is written until
// 12 s, and read from 20 s until 24 s.
func shuttled(t *testing.T) (sim.Setup, []workload.Job, sim.Result, sim.Recording) {
	job := func(id int64, submit, runtime cluster.Time, tenths cluster.Bytes) workload.Job {
		return workload.Job{ID: id, Submit: submit * cluster.Second, Tasks: 1, Need: workload.UnitCPU,
			Memory: workload.UnitMemory / 10 * tenths, Runtime: runtime * cluster.Second}
	}
	at := func(seconds cluster.Time, kind workload.EventKind) workload.Event {
		return workload.Event{At: seconds * cluster.Second, Kind: kind, Job: 1}
	}
	jobs := []workload.Job{job(1, 0, 20, 5), job(2, 2, 30, 8)}
	s, result, seen := moving(t, sim.Setup{Nodes: sim.Units(2), Policy: shuttle{}, Cost: sim.PlannedMoves(1),
		Events: []workload.Event{at(8, workload.JobHeld), at(20, workload.JobReleased)}}, jobs)
	if err := Schedule(s, jobs, result, seen); err != nil {
		t.Fatal(err)
	}
	return s, jobs, result, seen
}

// restless gives up the work of job 1 whenever another job comes, up to so many times, and puts it on the other one of
// two nodes in that tier.
type restless struct {
	tier  cluster.Tier
	kills int
}

func (r restless) Decide(v *cluster.View) policy.Decision {
	d := policy.Decision{Target: v.TargetAll().Clone()}
	others := 0
	for j := range v.Candidates() {
		if j.ID == 1 {
			continue
		}
		others++
		if d.Target.Get(j.ID) == nil {
			d.Target.Set(j.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(j.Spec.Need), Nodes: []cluster.NodeID{
				cluster.NodeID(j.ID) + 1}})
		}
	}
	to := &cluster.Placement{Grant: r.tier.Grant(workload.UnitCPU), Nodes: []cluster.NodeID{
		cluster.NodeID(1 + min(others, r.kills)%2)}}
	old := d.Target.Get(1)
	if v.Job(1) == nil || old != nil && old.Equal(to) {
		return d
	}
	if d.Target.Set(1, to); old != nil {
		d.Kill = []cluster.JobID{1}
	}
	return d
}

func TestWorkIsGivenUpOnceAndInTheBackgroundWhereMovesTakeTime(t *testing.T) {
	for _, c := range []struct {
		policy restless
		events []workload.Event
		want   string // nothing: it may be
	}{
		{restless{cluster.Background, 1}, nil, ""},
		{restless{cluster.Background, 2}, nil, "job 1 is to start anew at 20000000, but not for the first time"},
		{restless{cluster.Background, 2}, []workload.Event{
			{At: 12 * cluster.Second, Kind: workload.NodeDrains, Node: "n1"},
			{At: 14 * cluster.Second, Kind: workload.NodeReturns, Node: "n1"}}, ""},
		{restless{cluster.Foreground, 1}, nil, "job 1 is to start anew at 10000000, but task 0 is in the foreground"},
	} {
		var jobs []workload.Job
		for id := range int64(3) {
			jobs = append(jobs, workload.Job{ID: id + 1, Submit: cluster.Time(10*id) * cluster.Second, Tasks: 1,
				Need: workload.UnitCPU, Memory: workload.UnitMemory / 2, Runtime: cluster.Time(30*(id+1)) * cluster.Second})
		}
		s, result, seen := moving(t, sim.Setup{Nodes: sim.Units(4), Policy: c.policy, Cost: sim.PlannedMoves(1),
			Events: c.events}, jobs)
		if len(seen.Kills) != c.policy.kills {
			t.Errorf("%v: %d kills", c.policy, len(seen.Kills))
		}
		err := Schedule(s, jobs, result, seen)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v; want %q", c.policy, err, c.want)
		}
	}
}

func TestWhatIsWrongWithMovesThatTakeTimeIsFound(t *testing.T) {
	move := func(r *sim.Recording, job int64, kind cluster.MoveKind) *sim.Moved {
		return &r.Moves[slices.IndexFunc(r.Moves, func(m sim.Moved) bool { return m.Job == job && m.Kind == kind })]
	}
	span := func(r *sim.Recording, job int64, paying bool) *sim.Span {
		return &r.Spans[slices.IndexFunc(r.Spans, func(s sim.Span) bool { return s.Job == job && s.Paying == paying })]
	}
	for name, c := range map[string]struct {
		want    string
		corrupt func(s *sim.Setup, result *sim.Result, r *sim.Recording)
	}{
		"memory that has not been left yet": {"at 5000000 the tasks on node n1, and those that move there, take",
			func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
				move(r, 2, cluster.Start).Started -= cluster.Second
			}},
		"memory where nobody has arrived yet": {"at 2000000 the tasks on node n2, and those that move there, take",
			func(s *sim.Setup, _ *sim.Result, _ *sim.Recording) { s.Nodes[1].Memory = workload.UnitMemory / 4 }},
		"a move that took less time": {"job 1: by its moves it holds", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
			move(r, 1, cluster.Migrate).Started += cluster.Second
		}},
		"slower moves": {"job 1: by its moves it holds", func(s *sim.Setup, _ *sim.Result, _ *sim.Recording) {
			s.Cost = sim.PlannedMoves(0.9)
		}},
		"a job that goes on while it is paused": {"standing still false; recorded is 100000m on [2] from 6000000 to 12000000, false",
			func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) { span(r, 1, true).Paying = false }},
		"a job that ends while it is resumed": {"job 1 ends with progress of 0.",
			func(_ *sim.Setup, result *sim.Result, r *sim.Recording) {
				last := &r.Spans[slices.IndexFunc(r.Spans, func(s sim.Span) bool {
					return s.Job == 1 && s.From > 20*cluster.Second
				})]
				last.To -= cluster.Second
				result.Jobs[slices.IndexFunc(result.Jobs, func(o sim.Outcome) bool { return o.ID == 1 })].Ended = last.To
			}},
		"a move too many": {"but its pause is still under way", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
			again := *move(r, 1, cluster.Pause)
			again.Started += cluster.Second
			r.Moves = slices.Insert(r.Moves, slices.Index(r.Moves, *move(r, 1, cluster.Resume)), again)
		}},
		"a move too few": {"the task is not there", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
			at := slices.Index(r.Moves, *move(r, 1, cluster.Pause))
			r.Moves = slices.Delete(r.Moves, at, at+1)
		}},
		"a job that is not paused": {"task 0 runs and is not paused, but the job is held",
			func(s *sim.Setup, _ *sim.Result, _ *sim.Recording) { s.Events[0].At -= cluster.Second }},
		"a job that is resumed too early": {"but the job is held", func(s *sim.Setup, _ *sim.Result, _ *sim.Recording) {
			s.Events[1].At += cluster.Second
		}},
		"a node that takes no others": {"but that node takes no others",
			func(s *sim.Setup, _ *sim.Result, _ *sim.Recording) { s.Nodes[1].Condition = cluster.NodeClosed }},
		"a node that does not exist": {"node 3, which does not exist", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
			move(r, 1, cluster.Migrate).To = 3
		}},
		"a task that does not exist": {"is of task 1, which does not exist",
			func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) { move(r, 1, cluster.Migrate).Task.Index = 1 }},
		"a move after the end": {"after the job's end", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) {
			late := *move(r, 1, cluster.Pause)
			late.Started = cluster.Hour
			r.Moves = append(r.Moves, late)
		}},
		"a stranger": {"job 99 moves at", func(_ *sim.Setup, _ *sim.Result, r *sim.Recording) { r.Moves[0].Job = 99 }},
		"an uncounted migration": {"migrated 1 times", func(_ *sim.Setup, result *sim.Result, _ *sim.Recording) {
			result.Jobs[slices.IndexFunc(result.Jobs, func(o sim.Outcome) bool { return o.ID == 1 })].Migrations = 0
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, jobs, result, seen := shuttled(t)
			c.corrupt(&s, &result, &seen)
			if err := Schedule(s, jobs, result, seen); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}
