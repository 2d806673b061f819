package deadline

import (
	"slices"

	"aliquot/cluster"
)

// flowKeeps is the exact test for jobs that may be paused at any time and share nodes at will: all deadlines can be
// kept if and only if a greatest flow from jobs through the intervals between their times carries all work. It is the
// oracle of admission.
func flowKeeps(now cluster.Time, nodes int, runs []Run, coming []*Job) bool {
	all := slices.Clone(runs)
	for _, j := range coming {
		all = append(all, j.fresh())
	}
	times := []cluster.Time{now}
	for _, r := range all {
		times = append(times, max(now, r.Ready), r.Deadline)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	size := len(all) + len(times) + 1
	sink := size - 1
	room := make([][]int64, size) // left on each edge; jobs first, then intervals
	for i := range room {
		room[i] = make([]int64, size)
	}
	wanted, carried := int64(0), int64(0)
	lacks := make([]int64, len(all))
	for i, r := range all {
		lacks[i] = int64(r.Left) * int64(r.Tasks)
		wanted += lacks[i]
		for k := range times[1:] {
			if length := times[k+1] - times[k]; max(now, r.Ready) <= times[k] && times[k+1] <= r.Deadline {
				room[i][len(all)+k] = Quarters * int64(r.Tasks) * int64(length)
			}
		}
	}
	for k := range times[1:] {
		room[len(all)+k][sink] = Quarters * int64(nodes) * int64(times[k+1]-times[k])
	}
	for i := range all {
		for lacks[i] > 0 {
			sent := augment(room, i, sink, lacks[i], make([]bool, size))
			if sent == 0 {
				break
			}
			lacks[i], carried = lacks[i]-sent, carried+sent
		}
	}
	return carried == wanted
}

// augment sends up to most along one path to the sink, and returns the amount.
func augment(room [][]int64, at, sink int, most int64, seen []bool) int64 {
	if at == sink {
		return most
	}
	seen[at] = true
	for to, left := range room[at] {
		if left > 0 && !seen[to] {
			if sent := augment(room, to, sink, min(most, left), seen); sent > 0 {
				room[at][to] -= sent
				room[to][at] += sent
				return sent
			}
		}
	}
	return 0
}
