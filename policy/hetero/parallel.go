package hetero

import (
	"cmp"
	"math/bits"
	"slices"
)

// terms are what PJS may do beyond the paper.
type terms struct {
	literal bool  // profits are of run times, without the times at which machines are available
	further bool  // try other candidates after one that did not pay, instead of stopping
	budget  int   // number of plans to try for small changes
	price   Ticks // thousandths that a tick of a machine costs, in ticks of a job
}

// offer is a job that may run in parallel on a cluster.
type offer struct {
	lane, cluster int
	start, end    Ticks
	profit        Ticks // by how much sooner it ends than on its best machine, or shorter it is
}

// search is PJS while it looks for jobs to run in parallel.
type search struct {
	*batch
	terms
	taken  []int  // by lane: number of jobs that run in parallel
	chosen []Run  // those jobs
	failed []bool // by lane and cluster: did not pay
}

// score is what a plan is judged by. Smaller is better, first by the jobs that it leaves out.
type score struct {
	unplaced  int
	high, low uint64 // cost in thousandths of ticks
}

func (s score) better(o score) bool {
	return cmp.Or(cmp.Compare(s.unplaced, o.unplaced), cmp.Compare(s.high, o.high), cmp.Compare(s.low, o.low)) < 0
}

// scored returns the score of a plan with that sum of ends and those times of machines, each of which has a price.
func scored(unplaced int, ends, area, price Ticks) score {
	high, low := bits.Mul64(1000, uint64(ends))
	more, paid := bits.Mul64(uint64(price), uint64(area))
	low, carry := bits.Add64(low, paid, 0)
	return score{unplaced, high + more + carry, low}
}

// judge returns the score of the parallel runs together with a schedule of the rest.
func (s *search) judge(rest *schedule) score {
	ends, area := rest.ends, rest.area
	for _, r := range s.chosen {
		ends += r.End
		area += (r.End - r.Start) * Ticks(len(s.table.Machines(r)))
	}
	return scored(rest.unplaced, ends, area, s.price)
}

// parallel is PJS: beginning with SJS, it runs the most profitable job in parallel as long as the plan gets better.
func (b *batch) parallel(t terms) []Run {
	base := slices.Clone(b.from)
	s := &search{batch: b, terms: t, taken: make([]int, len(b.lanes)),
		failed: make([]bool, len(b.lanes)*len(b.table.Groups))}
	kept, tried := b.newPair(), b.newPair()
	best := b.sequential(s.taken, kept)
	value := s.judge(best)
	for {
		o, found := s.best()
		if !found {
			break
		}
		before := s.commit(o)
		rest := b.sequential(s.taken, tried)
		if v := s.judge(rest); v.better(value) {
			best, value = rest, v
			kept, tried = tried, kept
			continue
		}
		s.undo(o, before)
		if !s.further {
			break
		}
		s.failed[o.lane*len(b.table.Groups)+o.cluster] = true
	}
	if t.budget > 0 {
		best = s.improve(base, t.budget)
	}
	return s.runs(best)
}

// runs returns the plan: the parallel runs and a schedule of the rest, without the jobs that may run nowhere.
func (s *search) runs(rest *schedule) []Run {
	all := slices.Clone(s.chosen)
	for i, l := range s.lanes {
		for _, job := range l.jobs[s.taken[i]:] {
			if rest.machine[job] >= 0 {
				all = append(all, rest.run(s.batch, job))
			}
		}
	}
	return all
}

// best returns the offer with the greatest profit, if there is one with any. Of equal ones it takes the first to end,
// then the first in the queue, then the cluster with the lowest index.
func (s *search) best() (best offer, found bool) {
	for i, l := range s.lanes {
		if s.taken[i] == len(l.jobs) {
			continue
		}
		alone := s.alone(l)
		for c, d := range l.parallel {
			if d >= Never || s.failed[i*len(l.parallel)+c] {
				continue
			}
			start := s.ready(c)
			o := offer{i, c, start, start + d, alone - start - d}
			if s.literal {
				o.profit = alone - d
			}
			if o.profit > 0 && (!found || s.compare(o, best) < 0) {
				best, found = o, true
			}
		}
	}
	return best, found
}

// alone returns when the next job of a lane would end on its best machine, if the rest of the queue were not there. In
// the literal reading it returns the shortest run time.
func (s *search) alone(l lane) Ticks {
	end := Never
	for m, d := range l.sequential {
		if !s.literal {
			d += s.from[m]
		}
		end = min(end, d)
	}
	return end
}

// ready returns when all machines of a cluster are available.
func (b *batch) ready(cluster int) (at Ticks) {
	for _, m := range b.table.Groups[cluster] {
		at = max(at, b.from[m])
	}
	return at
}

// compare orders offers by preference.
func (s *search) compare(a, b offer) int {
	head := func(o offer) int { return s.lanes[o.lane].jobs[s.taken[o.lane]] }
	return cmp.Or(-cmp.Compare(a.profit, b.profit), cmp.Compare(a.end, b.end), cmp.Compare(head(a), head(b)),
		cmp.Compare(a.cluster, b.cluster))
}

// commit takes an offer, and returns from when on its machines were available.
func (s *search) commit(o offer) (before []Ticks) {
	job := s.lanes[o.lane].jobs[s.taken[o.lane]]
	s.taken[o.lane]++
	s.chosen = append(s.chosen, Run{Work: s.queue[job], Parallel: true, Resource: o.cluster, Start: o.start, End: o.end})
	for _, m := range s.table.Groups[o.cluster] {
		before = append(before, s.from[m])
		s.from[m] = o.end
	}
	return before
}

// undo gives an offer back.
func (s *search) undo(o offer, before []Ticks) {
	s.taken[o.lane]--
	s.chosen = s.chosen[:len(s.chosen)-1]
	for i, m := range s.table.Groups[o.cluster] {
		s.from[m] = before[i]
	}
}
