package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/workload"
)

// crowd is the physics of nodes on which each task gets half of its share while another task is there.
type crowd struct{ alone cluster.Parts }

func (c crowd) Rate(_ *workload.Job, p *cluster.Placement, _ func(int) cluster.CPU,
	on func(int) Place) cluster.Parts {
	for i := range p.Nodes {
		if at := on(i); at.Foreground > 1 {
			return cluster.Whole / 2
		}
	}
	return c.alone
}

func TestProgressPriorityAndStretchFollowThePhysics(t *testing.T) {
	job := func(id int64, submit, runtime cluster.Time) workload.Job {
		return workload.Job{
			ID: id, Submit: submit * cluster.Second, Tasks: 1, Need: workload.UnitCPU / 2, Memory: workload.UnitMemory / 4,
			Runtime: runtime * cluster.Second,
		}
	}
	jobs := []workload.Job{job(1, 0, 100), job(2, 20, 50)}
	for _, c := range []struct {
		name     string
		physics  Physics
		ends     [2]cluster.Time // of the jobs, in seconds
		virtual  cluster.Time    // of the first job when the second ends
		stretch  float64         // of the first job
		decision string
	}{
		{"as the report has it", nil, [2]cluster.Time{100, 70}, 70, 1, "GreedyPM */per"},
		{"half a host", crowd{cluster.Whole / 2}, [2]cluster.Time{200, 120}, 60, 2, "GreedyPM */per"},
		{"a crowd takes half, as long as it is there", crowd{cluster.Whole}, [2]cluster.Time{150, 120}, 70, 1.5,
			"GreedyPM */per"},
		{"whole nodes", crowd{cluster.Whole / 4}, [2]cluster.Time{400, 600}, 100, 4, "FCFS"},
	} {
		s := setup(t, 1, c.decision)
		s.Physics = c.physics
		var seen *cluster.Job
		end := c.ends[1] * cluster.Second
		s.Inspect = func(m *cluster.Model) error {
			v := m.View()
			if j := v.Job(1); j != nil && v.At == end {
				seen = j
				if virtual := j.VirtualTime(v.At); virtual != c.virtual*cluster.Second ||
					j.Priority(v.At) != cluster.Priority(end, virtual) {
					t.Errorf("%s: virtual time %v and priority %v", c.name, virtual, j.Priority(v.At))
				}
			}
			return m.Check()
		}
		result, err := Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Jobs {
			if o.Ended != c.ends[o.ID-1]*cluster.Second || o.ID == 1 && o.Stretch() != c.stretch {
				t.Errorf("%s: job %d ends at %v with stretch %v", c.name, o.ID, o.Ended.Seconds(), o.Stretch())
			}
		}
		if seen == nil && c.ends[0] > c.ends[1] {
			t.Errorf("%s: nobody looked when the second job ended", c.name)
		}
	}
}

// lossless is a Physics that slows nobody.
type lossless struct{}

func (lossless) Rate(*workload.Job, *cluster.Placement, func(int) cluster.CPU,
	func(int) Place) cluster.Parts {
	return cluster.Whole
}

func TestAPhysicsThatTakesNothingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		s := setup(t, nodes, rapid.SampledFrom([]string{"EASY", "GreedyPM */per/opt=min", "MCB8 */opt=avg/minft=20"}).Draw(t,
			"policy"))
		plain, err := Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		s.Physics = lossless{}
		asked, err := Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plain.Jobs, asked.Jobs); diff != "" {
			t.Fatal(diff)
		}
	})
}
