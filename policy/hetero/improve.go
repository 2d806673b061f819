package hetero

import (
	"math/rand/v2"
	"slices"
)

// choice is a lane of which a job runs in parallel on a cluster.
type choice struct{ lane, cluster int }

// improvement is a search for better parallel runs by small changes of those that there are.
type improvement struct {
	*search
	base   []Ticks // from when on machines are available without parallel runs
	picks  []choice
	value  score
	budget int // number of plans that may still be tried
	tried  *pair
}

// improve changes the parallel runs of a plan as long as it gets better: one more, one fewer, one elsewhere, or one of
// another lane. It returns the schedule of the rest. The budget is a number of plans.
func (s *search) improve(base []Ticks, budget int) *schedule {
	m := &improvement{search: s, base: base, budget: budget, tried: s.newPair()}
	for _, r := range s.chosen {
		m.picks = append(m.picks, choice{s.laneOf(r), r.Resource})
	}
	m.value = m.judge(m.lay(m.picks))
	if len(m.table.Groups) == 0 {
		m.budget = 0
	}
	m.descend()
	for dice := rand.New(rand.NewPCG(1, 1)); m.budget > 0; {
		picks, value := m.picks, m.value
		m.shake(dice)
		if m.descend(); !m.value.better(value) {
			m.picks, m.value = picks, value
		}
	}
	return m.lay(m.picks)
}

// descend changes the parallel runs until no small change makes the plan better.
func (m *improvement) descend() {
	for m.round() {
	}
}

// shake leaves out up to three parallel runs and adds one, so that the search can leave a plan that no small change
// makes better. Dice of a fixed seed keep decisions equal.
func (m *improvement) shake(dice *rand.Rand) {
	m.budget--
	picks := slices.Clone(m.picks)
	for range min(len(picks), 1+dice.IntN(3)) {
		i := dice.IntN(len(picks))
		picks = slices.Delete(picks, i, i+1)
	}
	more := append(slices.Clone(picks), choice{dice.IntN(len(m.lanes)), dice.IntN(len(m.table.Groups))})
	if m.possible(more) {
		picks = more
	}
	m.picks, m.value = picks, m.judge(m.lay(picks))
}

// laneOf returns the lane of a run.
func (s *search) laneOf(r Run) int {
	return slices.IndexFunc(s.lanes, func(l lane) bool {
		return slices.ContainsFunc(l.jobs, func(job int) bool { return s.queue[job].Job == r.Job })
	})
}

// lay makes the plan with these parallel runs, in order, and returns the schedule of the rest.
func (m *improvement) lay(picks []choice) *schedule {
	copy(m.from, m.base)
	clear(m.taken)
	m.chosen = m.chosen[:0]
	for _, p := range picks {
		start := m.ready(p.cluster)
		m.commit(offer{lane: p.lane, cluster: p.cluster, start: start, end: start + m.lanes[p.lane].parallel[p.cluster]})
	}
	return m.sequential(m.taken, m.tried)
}

// try takes over parallel runs if they are possible and better.
func (m *improvement) try(picks []choice) bool {
	if m.budget == 0 || !m.possible(picks) {
		return false
	}
	m.budget--
	v := m.judge(m.lay(picks))
	if !v.better(m.value) {
		return false
	}
	m.picks, m.value = picks, v
	return true
}

// possible reports whether no lane has more parallel runs than jobs, and all may run where they are.
func (m *improvement) possible(picks []choice) bool {
	count := make([]int, len(m.lanes))
	for _, p := range picks {
		count[p.lane]++
		if count[p.lane] > len(m.lanes[p.lane].jobs) || m.lanes[p.lane].parallel[p.cluster] >= Never {
			return false
		}
	}
	return true
}

// round tries every change once, and reports whether one of them was better.
func (m *improvement) round() (better bool) {
	for lane := range m.lanes {
		for cluster := range m.table.Groups {
			p := choice{lane, cluster}
			for m.try(append(slices.Clone(m.picks), p)) {
				better = true
			}
			for i := range m.picks {
				other := slices.Clone(m.picks)
				if other[i] = p; m.picks[i] != p && (m.picks[i].lane == lane || m.picks[i].cluster == cluster) {
					better = m.try(other) || better
				}
			}
		}
	}
	for i := len(m.picks) - 1; i >= 0; i-- {
		better = m.try(slices.Delete(slices.Clone(m.picks), i, i+1)) || better
	}
	return better && m.budget > 0
}
