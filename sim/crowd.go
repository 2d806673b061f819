package sim

import (
	"slices"

	"aliquot/cluster"
)

// crowds knows what is on every processor, and which runs may have another rate than before. The zero value knows
// nothing; it begins with the first background task, because until then the default physics slows nobody.
type crowds struct {
	first  []int    // by node id: the index of the node as one processor, which its cores follow
	places []Place  // by that index; nil: not yet known
	runs   [][]*run // by that index; a run is listed once for each of its tasks
	news   []int    // where something came or went in this instant
	asked  []*run   // runs to ask the physics about
}

// processor returns the index of the processor of a task of the placement, by its index there.
func (c *crowds) processor(p *cluster.Placement, i int) int {
	return c.first[p.Nodes[i]] + int(p.Core(i))
}

// enter notes that a run has a placement, or with sign -1 that it has it no more. Either may be nil.
func (m *simulation) enter(r *run, p *cluster.Placement, sign int) {
	if p == nil {
		return
	}
	if m.places == nil && (sign < 0 || p.Tier == cluster.Foreground && m.Physics == (Tiers{})) {
		return
	}
	if m.places == nil {
		m.survey(r)
	}
	for i := range p.Nodes {
		n := m.processor(p, i)
		at := &m.places[n]
		if p.Tier == cluster.Background {
			at.Background += sign
		} else {
			at.Foreground += sign
			at.Use += cluster.CPU(sign) * m.Uses.Of(&r.Job, i)
		}
		if sign > 0 {
			m.crowds.runs[n] = append(m.crowds.runs[n], r)
		} else {
			list := m.crowds.runs[n]
			i, last := slices.Index(list, r), len(list)-1
			list[i] = list[last]
			m.crowds.runs[n] = list[:last]
		}
		m.news = append(m.news, n)
	}
	m.ask(r)
}

// survey begins to know what is on the processors: all placements but that of the run.
func (m *simulation) survey(but *run) {
	m.first = make([]int, len(m.Nodes)+1)
	for i, n := range m.Nodes {
		d := n.description()
		m.first[i+1] = len(m.places)
		m.places = append(m.places, Place{CPU: n.CPU})
		for range n.Cores {
			m.places = append(m.places, Place{CPU: min(n.CPU, d.Processor())})
		}
	}
	m.crowds.runs = make([][]*run, len(m.places))
	for _, r := range m.runs {
		if r != nil && r != but {
			m.enter(r, r.held, 1)
		}
	}
}

// ask notes that the rate of the run may have changed.
func (m *simulation) ask(r *run) {
	if m.places != nil && !r.asked {
		r.asked = true
		m.asked = append(m.asked, r)
	}
}

// flow sets the rates of the jobs that make progress, by the physics and the speeds of their nodes, and foresees their
// ends.
func (m *simulation) flow() {
	for _, n := range m.news {
		for _, r := range m.crowds.runs[n] {
			m.ask(r)
		}
	}
	m.news = m.news[:0]
	if m.speeds != nil {
		for _, r := range m.runs {
			m.pace(r)
		}
	}
	for _, r := range m.asked {
		r.asked = false
		m.pace(r)
	}
	m.asked = m.asked[:0]
}

// pace sets the rate of a run; nil: it has ended.
func (m *simulation) pace(r *run) {
	if r == nil || m.runs[r.job.ID-1] != r || r.held == nil || r.job.Clock.Share <= 0 {
		return
	}
	rate := m.slowest(r.held.Nodes)
	if m.places != nil {
		own := func(i int) cluster.CPU { return m.Uses.Of(&r.Job, i) }
		on := func(i int) Place { return m.places[m.processor(r.held, i)] }
		rate = m.Physics.Rate(&r.Job, r.held, own, on) * rate / cluster.Whole
	}
	if steal := cluster.Whole - rate; steal != r.job.Clock.Steal {
		m.model.SetSteal(r.job.ID, steal)
		m.foresee(r)
	}
}

// slowest returns the least speed of the nodes. All tasks of a job progress at this speed.
func (m *simulation) slowest(nodes []cluster.NodeID) cluster.Parts {
	least := cluster.Whole
	if m.speeds != nil {
		for _, n := range nodes {
			least = min(least, m.speeds[n])
		}
	}
	return least
}
