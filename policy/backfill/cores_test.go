package backfill

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// packed is a plain scheduler that packs by cores. It searches a list of intervals for every question. Times are in
// microseconds.
type packed struct {
	rule
	nodes  []cluster.CPU // each has memory for two tasks
	jobs   []trial
	starts []cluster.Time
	taken  []taken
	now    cluster.Time
}

// taken is the part of a node that a job holds or is promised.
type taken struct {
	job, node, tasks int
	from, until      cluster.Time
}

func (s *packed) coresOf(job int) int { return int((s.jobs[job].need + 999) / 1000) }

// fit returns the number of tasks of the job that a node can take at an instant.
func (s *packed) fit(job, node int, at cluster.Time) int {
	cores, memory := int(s.nodes[node]/1000), 2
	for _, t := range s.taken {
		if t.node == node && t.from <= at && at < t.until {
			cores -= t.tasks * s.coresOf(t.job)
			memory -= t.tasks
			if s.exclusive {
				return 0
			}
		}
	}
	if on := s.jobs[job].on; on != nil && !slices.Contains(on, fmt.Sprint("n", node+1)) {
		return 0
	}
	return min(cores/s.coresOf(job), memory)
}

// least returns the number of tasks of the job that a node can take throughout an interval.
func (s *packed) least(job, node int, from, until cluster.Time) int {
	least := s.fit(job, node, from)
	for _, t := range s.taken {
		if from < t.from && t.from < until {
			least = min(least, s.fit(job, node, t.from))
		}
	}
	return least
}

// room returns the cores that the job would take in an interval; nil: there is not enough room.
func (s *packed) room(job int, from, until cluster.Time) (list []taken) {
	left, drawn := s.jobs[job].tasks, make([]int, len(s.nodes))
	draw := func(node, count int) {
		if tasks := min(count-drawn[node], left); tasks > 0 {
			list = append(list, taken{job, node, tasks, from, until})
			left, drawn[node] = left-tasks, drawn[node]+tasks
		}
	}
	for node := range s.nodes {
		all := s.least(job, node, from, until)
		switch {
		case s.promises > 1:
		case from == s.now: // cores that are promised to others later come first
			draw(node, all-s.least(job, node, from, never))
		default: // cores that no job can use now come first
			draw(node, all-s.fit(job, node, s.now))
		}
	}
	for node := range s.nodes {
		draw(node, s.least(job, node, from, until))
	}
	if left > 0 {
		return nil
	}
	return list
}

// decide goes through the queue once.
func (s *packed) decide() {
	var held []taken // by running jobs, until their expected ends
	for _, t := range s.taken {
		if t.from = s.now; s.starts[t.job] != never && s.end(t.job) > s.now {
			t.until = max(s.starts[t.job]+s.estimate(t.job), s.now+1)
			held = append(held, t)
		}
	}
	s.taken = held
	promises := 0
	for i, j := range s.jobs {
		if s.starts[i] != never || cluster.Time(j.submit)*cluster.Second > s.now {
			continue
		}
		at, list := s.earliest(i)
		switch {
		case at == s.now:
			s.starts[i] = s.now
			s.taken = append(s.taken, list...)
		case s.promises == 0:
			s.forgetPromises()
			return
		case at != never && promises < s.promises:
			promises++
			s.taken = append(s.taken, list...)
		}
	}
	s.forgetPromises()
}

func (s *packed) forgetPromises() {
	s.taken = slices.DeleteFunc(s.taken, func(t taken) bool { return s.starts[t.job] == never })
}

// earliest returns the first time at which the job can start and the cores that it takes then.
func (s *packed) earliest(job int) (cluster.Time, []taken) {
	times := []cluster.Time{s.now}
	for _, t := range s.taken {
		times = append(times, t.until)
	}
	slices.Sort(times)
	for _, at := range times {
		if list := s.room(job, at, at+s.estimate(job)); list != nil {
			return at, list
		}
	}
	return never, nil
}

func (s *packed) end(i int) cluster.Time {
	return s.starts[i] + cluster.Time(s.jobs[i].runtime)*cluster.Second
}

func (s *packed) estimate(i int) cluster.Time {
	return cluster.Time(s.jobs[i].estimate) * cluster.Second
}

// run decides at every submission and every end. It returns the starts.
func (s *packed) run() []cluster.Time {
	s.starts = slices.Repeat([]cluster.Time{never}, len(s.jobs))
	for s.now = -1; ; {
		next := never
		for i, j := range s.jobs {
			if at := cluster.Time(j.submit) * cluster.Second; at > s.now {
				next = min(next, at)
			}
			if s.starts[i] != never && s.end(i) > s.now {
				next = min(next, s.end(i))
			}
		}
		if next == never {
			return s.starts
		}
		s.now = next
		s.decide()
	}
}

// drawPacked draws nodes of up to four cores, and jobs that may run there.
func drawPacked(t *rapid.T) (nodes []cluster.CPU, jobs []trial) {
	nodes = rapid.SliceOfN(rapid.SampledFrom([]cluster.CPU{1000, 2000, 3999, 4000}), 1, 5).Draw(t, "nodes")
	jobs = drawTrials(t, 15, 2*len(nodes))
	for i := range jobs {
		j := &jobs[i]
		j.need = rapid.SampledFrom([]cluster.CPU{200, 1000, 1001, 2000, 3500}).Draw(t, "need")
		if rapid.IntRange(0, 3).Draw(t, "choosy") == 0 {
			for n := range rapid.IntRange(1, len(nodes)).Draw(t, "allowed") {
				j.on = append(j.on, fmt.Sprint("n", n+1))
			}
		}
		s := packed{nodes: nodes, jobs: jobs}
		for j.tasks > 1 && s.room(i, 0, 1) == nil {
			j.tasks--
		}
		if s.room(i, 0, 1) == nil {
			j.need, j.on = 1000, nil
		}
	}
	return nodes, jobs
}

func TestPackingByCoresEqualsAPlainScheduler(t *testing.T) {
	for _, r := range rules {
		if !r.packs {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes, jobs := drawPacked(t)
				starts, _ := replay(t, Policy{r}, nodes, jobs, nil)
				s := &packed{rule: r, nodes: nodes, jobs: jobs}
				if want := s.run(); !slices.Equal(starts, want) {
					t.Fatalf("%s on %v, jobs %+v\nstarts %v\n  want %v", r.name, nodes, jobs, starts, want)
				}
			})
		})
	}
}

func TestANodeHasOneCorePerThousandMillicoresUnlessThePolicySaysOtherwise(t *testing.T) {
	for _, c := range []struct {
		perNode        int
		need, capacity cluster.CPU
		takes, has     int
	}{
		{0, 1, 3999, 1, 3},
		{0, 1000, 4000, 1, 4},
		{0, 1001, 4000, 2, 4},
		{0, 500, 999, 1, 0},
		{8, 12_500, 100_000, 1, 8},
		{8, 12_501, 100_000, 2, 8},
		{8, 100_000, 100_000, 8, 8},
		{8, 110_000, 100_000, 9, 8},
		{3, 33_333, 100_000, 1, 3},
		{8, 12_500, 0, 8, 0},
	} {
		p := packing{packs: true, perNode: c.perNode}
		if takes, has := p.cores(c.need, c.capacity), p.has(c.capacity); takes != c.takes || has != c.has {
			t.Errorf("%+v: takes %d of %d", c, takes, has)
		}
	}
}

func TestAJobThatWouldTakeMoreCoresThanThereAreIsRefused(t *testing.T) {
	for _, c := range []struct {
		tasks  int
		need   cluster.CPU
		values []int64 // values of the reason; nil: the job is not refused
	}{
		{5, 1000, nil},
		{6, 1000, []int64{5, 6}},
		{1, 3000, nil},
		{1, 3500, []int64{0, 1}},
		{2, 3000, []int64{1, 2}},
	} {
		m := cluster.NewModel()
		m.Join("n1", cluster.Description{CPU: 3999, Memory: 1000 * cluster.MiB})
		m.Join("n2", cluster.Description{CPU: 2000, Memory: 1000 * cluster.MiB})
		if _, r := m.Submit(trial{tasks: c.tasks, need: c.need, estimate: 1}.spec()); r != nil {
			t.Fatal(r)
		}
		refused := policyNamed(t, "EASY/cores").Decide(m.View()).Refuse
		var got []int64
		if len(refused) == 1 && refused[0].Reason.Code == cluster.WhyTooFewCores {
			got = refused[0].Reason.Values
		}
		if !slices.Equal(got, c.values) {
			t.Errorf("%d tasks of %v: %+v, want %v", c.tasks, c.need, refused, c.values)
		}
	}
}

func TestOnlyPackingTakesAParameter(t *testing.T) {
	for _, c := range []struct {
		name       string
		parameters []string
		want       string
	}{
		{"EASY/cores", nil, "EASY/cores"},
		{"EASY/cores/exclusive", []string{" per-node = 8"}, "EASY/cores/exclusive/per-node=8"},
		{"EASY/cores", []string{"per-node=0"}, `per-node must be a number of cores from 1 to 10000, not "0"`},
		{"EASY/cores", []string{"per-node=x"}, `per-node must be a number of cores from 1 to 10000, not "x"`},
		{"EASY/cores", []string{"per-node=2", "per-node=2"}, "per-node is given twice"},
		{"EASY/cores", []string{"cores=2"}, `there is no parameter "cores"; there is per-node=CORES`},
		{"EASY", []string{"per-node=8"}, `EASY takes no parameters, but got ["per-node=8"]`},
	} {
		p, err := New(c.name, c.parameters, 0)
		got := p.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.parameters, got, c.want)
		}
	}
}
