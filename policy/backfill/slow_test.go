package backfill

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// The four policies as the papers describe them, plain and slow, for nodes that are all alike.

// slow is a run of a plain scheduler. Times are in microseconds.
type slow struct {
	nodes  int
	jobs   []trial
	starts []cluster.Time
	now    cluster.Time
}

func (s *slow) end(i int) cluster.Time {
	return s.starts[i] + cluster.Time(s.jobs[i].runtime)*cluster.Second
}

func (s *slow) estimate(i int) cluster.Time { return cluster.Time(s.jobs[i].estimate) * cluster.Second }

func (s *slow) running() (list []int) {
	for i := range s.jobs {
		if s.starts[i] != never && s.end(i) > s.now {
			list = append(list, i)
		}
	}
	return list
}

func (s *slow) queue() (list []int) {
	for i, j := range s.jobs {
		if s.starts[i] == never && cluster.Time(j.submit)*cluster.Second <= s.now {
			list = append(list, i)
		}
	}
	return list
}

func (s *slow) free() int {
	free := s.nodes
	for _, i := range s.running() {
		free -= s.jobs[i].tasks
	}
	return free
}

// expected returns the expected end of a running job.
func (s *slow) expected(i int) cluster.Time { return max(s.starts[i]+s.estimate(i), s.now+1) }

// fcfs starts jobs from the head of the queue and returns the rest.
func (s *slow) fcfs() []int {
	queue := s.queue()
	for len(queue) > 0 && s.jobs[queue[0]].tasks <= s.free() {
		s.starts[queue[0]] = s.now
		queue = queue[1:]
	}
	return queue
}

// easy is the algorithm of Mu'alem and Feitelson's figure: shadow time and extra nodes for the head, then every other
// job that ends by the shadow time or uses extra nodes only.
func (s *slow) easy(reserved bool) {
	queue := s.fcfs()
	if len(queue) == 0 {
		return
	}
	running := s.running()
	slices.SortFunc(running, func(a, b int) int { return int(s.expected(a) - s.expected(b)) })
	shadow, free := never, s.free()
	for _, i := range running {
		if free >= s.jobs[queue[0]].tasks && s.expected(i) > shadow {
			break
		}
		free += s.jobs[i].tasks
		shadow = s.expected(i)
	}
	extra := free - s.jobs[queue[0]].tasks
	for _, i := range queue[1:] {
		switch tasks := s.jobs[i].tasks; {
		case tasks > s.free():
		case reserved && s.now+s.estimate(i) <= shadow:
			s.starts[i] = s.now
		case tasks <= extra:
			extra -= tasks
			s.starts[i] = s.now
		}
	}
}

// conservative gives each job in turn the first interval with enough nodes throughout.
func (s *slow) conservative() {
	type interval struct {
		from, until cluster.Time
		tasks       int
	}
	var taken []interval
	for _, i := range s.running() {
		taken = append(taken, interval{s.now, s.expected(i), s.jobs[i].tasks})
	}
	used := func(at cluster.Time) (sum int) {
		for _, t := range taken {
			if t.from <= at && at < t.until {
				sum += t.tasks
			}
		}
		return sum
	}
	for _, i := range s.queue() {
		candidates := []cluster.Time{s.now}
		for _, t := range taken {
			candidates = append(candidates, t.until)
		}
		slices.Sort(candidates)
		for _, at := range candidates {
			fits := used(at)+s.jobs[i].tasks <= s.nodes
			for _, t := range taken {
				if at < t.from && t.from < at+s.estimate(i) {
					fits = fits && used(t.from)+s.jobs[i].tasks <= s.nodes
				}
			}
			if fits {
				taken = append(taken, interval{at, at + s.estimate(i), s.jobs[i].tasks})
				if at == s.now {
					s.starts[i] = s.now
				}
				break
			}
		}
	}
}

// run lets the scheduler decide at every submission and every end.
func (s *slow) run(decide func()) []cluster.Time {
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
		decide()
	}
}

func (s *slow) by(name string) func() {
	name, _, _ = strings.Cut(name, "/cores")
	return map[string]func(){
		"FCFS":             func() { s.fcfs() },
		"EASY":             func() { s.easy(true) },
		"EASY/no-reserved": func() { s.easy(false) },
		"conservative":     s.conservative,
	}[name]
}

func agrees(t interface{ Fatalf(string, ...any) }, p Policy, nodes int, got []cluster.Time, jobs []trial) {
	s := &slow{nodes: nodes, jobs: jobs}
	if want := s.run(s.by(p.name)); !slices.Equal(got, want) {
		t.Fatalf("%s on %d nodes, jobs %+v\nstarts %v\n  want %v", p.name, nodes, jobs, got, want)
	}
}

func units(nodes int) []cluster.CPU { return slices.Repeat([]cluster.CPU{1000}, nodes) }

// plainlySlow returns the rules that follow the papers on nodes for one task. A conservative promise of certain cores
// is weaker than a promise of any node: a promise is not moved to make room for another.
func plainlySlow() []rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule) bool { return r.packs && r.promises > 1 })
}

func TestEveryPolicyDoesAsThePapersSay(t *testing.T) {
	for _, r := range plainlySlow() {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes := rapid.IntRange(1, 8).Draw(t, "nodes")
				jobs := drawTrials(t, 20, nodes)
				starts, _ := replay(t, Policy{r}, units(nodes), jobs, nil)
				agrees(t, Policy{r}, nodes, starts, jobs)
			})
		})
	}
}

// TestAllSmallInstancesGoAsThePapersSay enumerates four jobs on three nodes that end on time, late or early.
func TestAllSmallInstancesGoAsThePapersSay(t *testing.T) {
	var kinds []trial
	for tasks := 1; tasks <= 3; tasks++ {
		for _, span := range [][2]int{{2, 2}, {3, 1}, {1, 3}} { // run time and estimate
			kinds = append(kinds, trial{runtime: span[0], estimate: span[1], tasks: tasks, need: 1000})
		}
	}
	for pick := range len(kinds) * len(kinds) * len(kinds) * len(kinds) {
		jobs := make([]trial, 4)
		for i, rest := 0, pick; i < len(jobs); i, rest = i+1, rest/len(kinds) {
			jobs[i] = kinds[rest%len(kinds)]
			jobs[i].submit = i / 3
		}
		for _, r := range plainlySlow() {
			starts, _ := replay(t, Policy{r}, units(3), jobs, nil)
			agrees(t, Policy{r}, 3, starts, jobs)
		}
	}
}
