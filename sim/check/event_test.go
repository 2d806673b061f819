package check

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// eventful is a run with every kind of event, and the spans of all its jobs.
func eventful(t *testing.T) (sim.Setup, []workload.Job, sim.Result, []sim.Span) {
	at := func(seconds cluster.Time, kind workload.EventKind, node string, job int64) workload.Event {
		return workload.Event{At: seconds * cluster.Second, Kind: kind, Node: node, Job: job}
	}
	slow := at(300, workload.NodeSpeeds, "n1", 0)
	slow.Speed = cluster.Whole / 4
	jobs := crowd()
	s, result, seen := run(t, "GreedyPM */per", sim.Constant(10*cluster.Second), 2, jobs,
		at(100, workload.NodeFails, "n1", 0), at(150, workload.NodeReturns, "n1", 0), slow,
		at(400, workload.JobHeld, "", 1), at(500, workload.NodeDrains, "n2", 0), at(600, workload.JobReleased, "", 1),
		at(700, workload.JobCancels, "", 2), at(3000, workload.NodeReturns, "n2", 0))
	return s, jobs, result, seen.Spans
}

func TestWhatIsWrongWithEventsIsFound(t *testing.T) {
	s, jobs, result, spans := eventful(t)
	if err := judge(s, jobs, result, spans); err != nil {
		t.Fatal(err)
	}
	if len(result.Stopped) != 1 || result.Summary().Kills == 0 {
		t.Fatalf("%+v", result)
	}
	event := func(s *sim.Setup, kind workload.EventKind) *workload.Event {
		return &s.Events[slices.IndexFunc(s.Events, func(e workload.Event) bool { return e.Kind == kind })]
	}
	for name, c := range map[string]struct {
		want    string
		corrupt func(s *sim.Setup, r *sim.Result)
	}{
		"a failure that took nothing away": {"which fails at", func(s *sim.Setup, _ *sim.Result) {
			event(s, workload.NodeFails).At -= cluster.Second
		}},
		"a kill that was not counted": {"but 0 were counted", func(_ *sim.Setup, r *sim.Result) {
			r.Jobs[slices.IndexFunc(r.Jobs, killed)].Kills = 0
		}},
		"a node that returned too late": {"takes no others", func(s *sim.Setup, _ *sim.Result) {
			s.Events[1].At = 250 * cluster.Second
		}},
		"a job that goes on though it fails on loss": {"fails on loss, but went on", func(_ *sim.Setup, r *sim.Result) {
			r.Jobs[slices.IndexFunc(r.Jobs, killed)].FailOnLoss = true
		}},
		"another speed": {"ends with progress of 0.", func(s *sim.Setup, _ *sim.Result) {
			event(s, workload.NodeSpeeds).Speed /= 2
		}},
		"a hold that nobody followed": {"but at 300000000 there is a hold", func(s *sim.Setup, _ *sim.Result) {
			event(s, workload.JobHeld).At -= 100 * cluster.Second
		}},
		"a release that came later": {"but is held", func(s *sim.Setup, _ *sim.Result) {
			event(s, workload.JobReleased).At += 3000 * cluster.Second
		}},
		"a job that stopped by itself": {"but no event said so", func(s *sim.Setup, _ *sim.Result) {
			event(s, workload.JobCancels).At++
		}},
		"a stopped job that ended too": {"ended or was skipped 2 times", func(_ *sim.Setup, r *sim.Result) {
			r.Jobs = append(r.Jobs, r.Stopped[0].Outcome)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, result := s, result
			s.Events, result.Jobs = slices.Clone(s.Events), slices.Clone(result.Jobs)
			c.corrupt(&s, &result)
			slices.SortStableFunc(s.Events, func(a, b workload.Event) int { return int(a.At - b.At) })
			if err := judge(s, jobs, result, spans); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

func killed(o sim.Outcome) bool { return o.Kills > 0 }

// At the start, jobs lie where a batch policy would not have put them. It leaves them there, so its rule does not apply
// to them.
func TestSchedulesHoldOfJobsThatWereThereBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t), rapid.IntRange(1, 4).Draw(t, "nodes")
		for i := range jobs {
			jobs[i].Submit = 0
		}
		initials := drawInitials(t, jobs, nodes)
		name := rapid.SampledFrom([]string{"Greedy *", "GreedyPM */per/opt=min/minvt=600", "GreedyPM */stable",
			"MCB8 *"}).Draw(t, "policy")
		s, _, _ := run(t, name, sim.Constant(cluster.Minute), nodes, nil)
		var spans []sim.Span
		s.Initials, s.Record = initials, func(s sim.Span) { spans = append(spans, s) }
		result, err := sim.Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if err := judge(s, jobs, result, spans); err != nil {
			t.Fatal(err)
		}
	})
}

// drawInitials draws where jobs that are submitted at time 0 were before.
func drawInitials(t *rapid.T, jobs []workload.Job, nodes int) map[int64]sim.Initial {
	initials := map[int64]sim.Initial{}
	for _, j := range jobs {
		if j.Submit > 0 {
			continue
		}
		b := sim.Initial{Beginning: cluster.Beginning{
			Saved: rapid.Bool().Draw(t, "saved"), Age: cluster.Hour,
			Virtual: cluster.Time(rapid.Int64Range(0, 3600e6).Draw(t, "virtual")),
		}}
		if rapid.Bool().Draw(t, "runs") {
			b.Placement = &cluster.Placement{Grant: cluster.Foreground.Grant(max(1, j.Need/8))}
			for range j.Tasks {
				b.Placement.Nodes = append(b.Placement.Nodes, cluster.NodeID(rapid.IntRange(1, nodes).Draw(t, "node")))
			}
		}
		initials[j.ID] = b
	}
	return initials
}
