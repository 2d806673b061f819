package tiered

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/calendar"
	"aliquot/sim"
	"aliquot/workload"
)

// watched is a policy whose reservations are watched.
type watched struct {
	Policy
	t      *rapid.T
	shadow map[cluster.JobID]cluster.Time // earliest that was ever found, by head
}

func (w watched) Decide(v *cluster.View) policy.Decision {
	d := begin(v, w.rule, v.Pending())
	defer d.end()
	d.decide()
	if d.booked {
		first, known := w.shadow[d.head]
		if known && d.shadow > first {
			w.t.Fatalf("at %v %v may start at %v, but was promised %v", v.At, d.head, d.shadow, first)
		}
		w.shadow[d.head] = d.shadow
	}
	return w.Policy.Decide(v)
}

// As in EASY: as long as foreground jobs end by their estimates, whatever overtakes the head does not delay it. REASY
// gives no such promise to a head that runs in the background.
func TestNoHeadIsDelayedWhereEstimatesHold(t *testing.T) {
	for _, r := range []rule{{name: "KEASY", way: kill}, {name: "MEASY", way: migrate}} {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes := rapid.IntRange(1, 6).Draw(t, "nodes")
				w := watched{Policy{r}, t, map[cluster.JobID]cluster.Time{}}
				jobs, at := make([]workload.Job, rapid.IntRange(1, 20).Draw(t, "jobs")), cluster.Time(0)
				for i := range jobs {
					at += cluster.Time(rapid.IntRange(0, 30).Draw(t, "pause")) * cluster.Second
					jobs[i] = workload.Job{ID: int64(i + 1), Submit: at, Tasks: rapid.IntRange(1, nodes).Draw(t, "tasks"),
						Need:    workload.UnitCPU / 10 * cluster.CPU(rapid.IntRange(4, 10).Draw(t, "use")),
						Memory:  workload.UnitMemory / 10 * cluster.Bytes(rapid.IntRange(1, 7).Draw(t, "memory")),
						Runtime: cluster.Time(rapid.IntRange(1, 100).Draw(t, "runtime")) * cluster.Second}
				}
				result, err := sim.Run(sim.Setup{Nodes: sim.Units(nodes), Policy: w}, jobs)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range result.Jobs {
					if first, promised := w.shadow[cluster.JobID(o.ID)]; promised && first != calendar.Never &&
						min(o.Foreground, o.Ended) > first {
						t.Fatalf("job %d came to the foreground at %v, but was promised %v", o.ID, o.Foreground, first)
					}
				}
			})
		})
	}
}

func TestAJobIsKilledOrMovedAtMostOnce(t *testing.T) {
	for _, r := range variants {
		rapid.Check(t, func(t *rapid.T) {
			nodes := rapid.IntRange(2, 6).Draw(t, "nodes")
			jobs := make([]workload.Job, rapid.IntRange(1, 20).Draw(t, "jobs"))
			for i := range jobs {
				jobs[i] = workload.Job{ID: int64(i + 1), Submit: cluster.Time(i) * 7 * cluster.Second,
					Tasks: rapid.IntRange(1, nodes).Draw(t, "tasks"), Memory: workload.UnitMemory / 10,
					Need:    workload.UnitCPU / 10 * cluster.CPU(rapid.IntRange(4, 10).Draw(t, "use")),
					Runtime: cluster.Time(rapid.IntRange(1, 100).Draw(t, "runtime")) * cluster.Second}
			}
			result, err := sim.Run(sim.Setup{Nodes: sim.Units(nodes), Policy: Policy{r}, Penalty: cluster.Second}, jobs)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range result.Jobs {
				if o.Kills+o.Migrations+o.Preemptions > 1 || r.way != kill && o.Kills > 0 || r.way != migrate && o.Migrations > 0 {
					t.Fatalf("%v: %+v", r.name, o)
				}
			}
		})
	}
}
