package tiered_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// The three algorithms as the paper describes them, plain and slow: Algorithms 1 to 3 over a list of processors.

const never = cluster.Time(math.MaxInt64)

// task is a job of the plain scheduler.
type task struct {
	workload.Job
	tier    int // -1: it waits; else 0: foreground, 1: background
	on      []int
	clock   cluster.Clock
	entered cluster.Time
	ended   cluster.Time
	pays    cluster.Time // until then it stands still; 0: it does not
}

// plain is a run of the plain scheduler. Times are in microseconds.
type plain struct {
	way     string
	penalty cluster.Time
	jobs    []*task
	slots   [2][]*task // by tier and processor
	now     cluster.Time
}

func (s *plain) present(tiers ...int) (list []*task) {
	for _, j := range s.jobs {
		if j.Submit <= s.now && j.ended == never && slices.Contains(tiers, j.tier) {
			list = append(list, j)
		}
	}
	return list
}

func (s *plain) idle() (count int) {
	for _, j := range s.slots[0] {
		if j == nil {
			count++
		}
	}
	return count
}

// use returns the use of a processor by one tier, in millicores.
func (s *plain) use(tier, p int) cluster.CPU {
	if j := s.slots[tier][p]; j != nil {
		return j.Need
	}
	return 0
}

func (s *plain) eligible(p int) bool {
	return s.slots[1][p] == nil && s.use(0, p)*100 < workload.UnitCPU*96
}

// dispatch is function Dispatch of Algorithm 2.
func (s *plain) dispatch(tier int, j *task) {
	s.leave(j)
	var free []int
	for p := range s.slots[tier] {
		if tier == 0 && s.slots[0][p] == nil || tier == 1 && s.eligible(p) {
			free = append(free, p)
		}
	}
	slices.SortFunc(free, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.use(1-tier, a), s.use(1-tier, b)), cmp.Compare(b, a))
	})
	s.enter(tier, j, free[:j.Tasks])
}

func (s *plain) leave(j *task) {
	if j.tier >= 0 {
		for _, p := range j.on {
			s.slots[j.tier][p] = nil
		}
	}
}

func (s *plain) enter(tier int, j *task, on []int) {
	j.tier, j.on = tier, on
	for _, p := range on {
		s.slots[tier][p] = j
	}
	if tier == 0 {
		j.entered = s.now
	}
}

// deploy is function Deploy of Algorithm 2.
func (s *plain) deploy(j *task) bool {
	if j.tier == 1 && !slices.ContainsFunc(j.on, func(p int) bool { return s.slots[0][p] != nil }) {
		s.leave(j)
		s.enter(0, j, j.on)
		return true
	}
	if j.tier == 1 {
		switch s.way {
		case "REASY":
			return false
		case "KEASY":
			j.clock = cluster.Clock{At: s.now}
		case "MEASY":
			j.pays = s.now + s.penalty
		}
	}
	s.dispatch(0, j)
	return true
}

func (s *plain) termination(j *task) cluster.Time { return max(j.entered+j.Estimate, s.now+1) }

// pass is Algorithm 1, or 3 for REASY.
func (s *plain) pass() {
	rest := s.present(-1, 1)
	for len(rest) > 0 && rest[0].Tasks <= s.idle() && s.deploy(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return
	}
	shadow, extra := s.reserve(rest[0])
	for _, j := range rest[1:] {
		if j.Tasks > s.idle() || s.now+j.Estimate > shadow && j.Tasks > extra {
			continue
		}
		if s.deploy(j) && s.now+j.Estimate > shadow {
			extra -= j.Tasks
		}
	}
}

func (s *plain) reserve(head *task) (shadow cluster.Time, extra int) {
	running := s.present(0)
	if s.way == "REASY" && head.tier == 1 {
		extra = s.idle() - head.Tasks
		for _, j := range running {
			if slices.ContainsFunc(head.on, func(p int) bool { return s.slots[0][p] == j }) {
				shadow, extra = max(shadow, s.termination(j)), extra+j.Tasks
			}
		}
		return shadow, extra
	}
	slices.SortStableFunc(running, func(a, b *task) int { return cmp.Compare(s.termination(a), s.termination(b)) })
	free := s.idle()
	for _, j := range running {
		if free >= head.Tasks && s.termination(j) > shadow {
			break
		}
		free, shadow = free+j.Tasks, s.termination(j)
	}
	return shadow, free - head.Tasks
}

// sink is step 3: the shortest jobs go to the background.
func (s *plain) sink() {
	waiting := s.present(-1)
	slices.SortStableFunc(waiting, func(a, b *task) int { return cmp.Compare(a.Estimate, b.Estimate) })
	for _, j := range waiting {
		free := 0
		for p := range s.slots[1] {
			if s.eligible(p) {
				free++
			}
		}
		if j.Tasks <= free {
			s.dispatch(1, j)
		}
	}
}

// rate returns the rate of progress of a job (section 3.2).
func (s *plain) rate(j *task) cluster.Parts {
	least := cluster.Whole
	for _, p := range j.on {
		above, below := s.slots[0][p], s.slots[1][p]
		switch {
		case j.tier == 0 && below != nil:
			least = min(least, cluster.Whole-j.Loss)
		case j.tier == 1 && above != nil && above.Need*100 >= workload.UnitCPU*96:
			return 0
		case j.tier == 1 && above != nil:
			least = min(least, j.Rate)
		}
	}
	return least
}

// end returns when a job ends if nothing changes.
func (j *task) end() cluster.Time {
	if at, ever := j.clock.Reaches(j.Runtime, j.Need); ever {
		return at
	}
	return never
}

// settle integrates the progress of all jobs up to now.
func (s *plain) settle() {
	for _, j := range s.jobs {
		if j.clock.Share > 0 {
			c := cluster.Job{Spec: &cluster.Spec{Need: j.Need}, Clock: j.clock}
			j.clock.Virtual = c.VirtualTime(s.now)
		}
		j.clock.At = s.now
	}
}

func (s *plain) run() []cluster.Time {
	for s.now = -1; ; {
		next := never
		for _, j := range s.jobs {
			switch {
			case j.ended != never:
			case j.Submit > s.now:
				next = min(next, j.Submit)
			case j.pays > s.now:
				next = min(next, j.pays)
			case j.tier >= 0:
				next = min(next, j.end())
			}
		}
		if next == never {
			break
		}
		s.step(next)
	}
	var ends []cluster.Time
	for _, j := range s.jobs {
		ends = append(ends, j.ended)
	}
	return ends
}

// step lets everything happen that happens at a time.
func (s *plain) step(at cluster.Time) {
	arrived, left, below := false, false, false
	over := []*task{}
	for _, j := range s.jobs {
		arrived = arrived || j.Submit == at
		if j.ended == never && j.Submit <= s.now && j.tier >= 0 && j.clock.Share > 0 && j.end() <= at {
			over = append(over, j)
		}
	}
	s.now = at
	s.settle()
	for _, j := range over {
		left, below = left || j.tier == 0, below || j.tier == 1
		s.leave(j)
		j.ended, j.tier, j.clock = at, -1, cluster.Clock{}
	}
	if arrived || left {
		s.pass()
	}
	if arrived || left || below {
		s.sink()
	}
	for _, j := range s.jobs {
		if j.clock.Share, j.clock.Steal = 0, 0; j.ended == never && j.tier >= 0 && j.pays <= at {
			j.clock.Share, j.clock.Steal = j.Need, cluster.Whole-s.rate(j)
		}
	}
}

// unit is a time that can be halved 18 times.
const unit = 4096 * cluster.Second

// drawJobs draws jobs whose times and rates are dyadic, so that no rounding hides two things that happen at once.
func drawJobs(t *rapid.T, nodes int) []workload.Job {
	jobs := make([]workload.Job, rapid.IntRange(1, 14).Draw(t, "jobs"))
	at := cluster.Time(0)
	for i := range jobs {
		at += unit * cluster.Time(rapid.IntRange(0, 3).Draw(t, "pause"))
		runtime := unit * cluster.Time(rapid.IntRange(1, 8).Draw(t, "runtime"))
		j := workload.Job{ID: int64(i + 1), Submit: at, Tasks: rapid.IntRange(1, nodes).Draw(t, "tasks"),
			Need: workload.UnitCPU, Memory: workload.UnitMemory / 100, Runtime: runtime,
			Estimate: runtime * cluster.Time(rapid.IntRange(1, 3).Draw(t, "factor")),
			Rate:     cluster.Whole / cluster.Parts(rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "rate"))}
		if rapid.Bool().Draw(t, "idle") {
			j.Need = workload.UnitCPU / 4 * cluster.CPU(rapid.IntRange(2, 3).Draw(t, "use"))
		}
		if rapid.IntRange(0, 2).Draw(t, "loses") == 0 {
			j.Loss = cluster.Whole / 2
		}
		jobs[i] = j
	}
	return jobs
}

func TestEveryPolicyDoesAsThePaperSays(t *testing.T) {
	for _, name := range []string{"KEASY", "REASY", "MEASY"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes := rapid.IntRange(1, 6).Draw(t, "nodes")
				jobs := drawJobs(t, nodes)
				s := &plain{way: name, penalty: unit * cluster.Time(rapid.IntRange(0, 1).Draw(t, "penalty")),
					slots: [2][]*task{make([]*task, nodes), make([]*task, nodes)}}
				for _, j := range jobs {
					s.jobs = append(s.jobs, &task{Job: j, tier: -1, ended: never})
				}
				p, err := catalog.Parse(name, cluster.Minute)
				if err != nil {
					t.Fatal(err)
				}
				var told []string
				result, err := sim.Run(sim.Setup{Nodes: sim.Units(nodes), Policy: p, Penalty: s.penalty, Estimates: sim.Traced,
					Tell: func(e sim.Event) { told = append(told, fmt.Sprint(e.At.Seconds(), " ", e)) }}, jobs)
				if err != nil {
					t.Fatal(err)
				}
				got := make([]cluster.Time, len(jobs))
				for _, o := range result.Jobs {
					got[o.ID-1] = o.Ended
				}
				if want := s.run(); !slices.Equal(got, want) {
					t.Fatalf("%d nodes, jobs %+v\nends %v\nwant %v\n%v", nodes, jobs, got, want, told)
				}
			})
		})
	}
}
