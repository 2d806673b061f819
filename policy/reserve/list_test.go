package reserve

import (
	"math/bits"
	"slices"

	"aliquot/cluster"
)

// availRectList is the paper's structure, written down as simply as possible: the nodes that are busy from each time
// on. It is the oracle of the calendar.
type availRectList struct {
	records []record // by time; the last one has no busy node
	nodes   int
}

type record struct {
	at   cluster.Time
	busy uint64
}

// in returns the nodes that are busy at a time.
func (l *availRectList) in(at cluster.Time) (busy uint64) {
	for _, r := range l.records {
		if r.at <= at {
			busy = r.busy
		}
	}
	return busy
}

// change is Algorithms 1 and 2: it adds the job's nodes to the records of the interval, or removes them.
func (l *availRectList) change(from, until cluster.Time, nodes uint64, add bool) {
	for _, at := range []cluster.Time{from, until} {
		if !slices.ContainsFunc(l.records, func(r record) bool { return r.at == at }) {
			l.records = append(l.records, record{at, l.in(at)})
			slices.SortFunc(l.records, func(a, b record) int { return int(a.at - b.at) })
		}
	}
	var kept []record
	last := uint64(0)
	for _, r := range l.records {
		if r.at >= from && r.at < until && add {
			r.busy |= nodes
		} else if r.at >= from && r.at < until {
			r.busy &^= nodes
		}
		if r.busy != last { // redundant otherwise
			kept = append(kept, r)
		}
		last = r.busy
	}
	l.records = kept
}

// starts lists the candidates.
func (l *availRectList) starts(q Request) []cluster.Time {
	latest := q.Deadline - q.Lasts
	list := []cluster.Time{q.Ready, latest}
	for _, r := range l.records {
		list = append(list, r.at, r.at-q.Lasts)
	}
	list = slices.DeleteFunc(list, func(s cluster.Time) bool { return s < q.Ready || s > latest })
	slices.Sort(list)
	return slices.Compact(list)
}

// free returns the nodes that are free during the whole interval.
func (l *availRectList) free(from, until cluster.Time) uint64 {
	busy := l.in(from)
	for _, r := range l.records {
		if r.at > from && r.at < until {
			busy |= r.busy
		}
	}
	return ^busy & (1<<l.nodes - 1)
}

// grown returns the begin and end of the greatest interval around another in which the nodes are free.
func (l *availRectList) grown(now, from, until cluster.Time, nodes uint64, deadline cluster.Time) (begin,
	end cluster.Time) {
	begin, end = now, deadline
	for i, r := range l.records {
		switch {
		case i+1 < len(l.records) && l.records[i+1].at <= from && r.busy&nodes != 0:
			begin = max(now, l.records[i+1].at)
		case r.at >= until && r.busy&nodes != 0:
			return begin, r.at
		}
		end = max(end, r.at)
	}
	return begin, end
}

// find is Algorithm 3: it returns the start and the nodes, or no nodes.
func (l *availRectList) find(now cluster.Time, rule string, q Request) (start cluster.Time, nodes uint64) {
	least := 0.0
	for _, s := range l.starts(q) {
		free := l.free(s, s+q.Lasts)
		count := bits.OnesCount64(free)
		if count < q.Nodes {
			continue
		}
		begin, end := l.grown(now, s, s+q.Lasts, free, q.Deadline)
		lasts := float64(end - begin)
		score := map[string]float64{"FF": float64(s), "PE_B": float64(count), "PE_W": -float64(count), "Du_B": lasts,
			"Du_W": -lasts, "PEDu_B": float64(count) * lasts, "PEDu_W": -float64(count) * lasts}[rule]
		if nodes == 0 || score < least {
			start, nodes, least = s, lowest(free, q.Nodes), score
		}
	}
	return start, nodes
}

// lowest returns the given number of nodes with the lowest ids.
func lowest(free uint64, count int) (nodes uint64) {
	for range count {
		nodes |= free & -free
		free &= free - 1
	}
	return nodes
}
