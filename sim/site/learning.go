package site

import "aliquot/policy/hetero"

// learn predicts anew if something was observed. Experience allows nothing that the site does not.
func (m *simulation) learn() {
	if m.Experience == nil || m.fresh {
		return
	}
	m.table, m.fresh = m.Experience.Predict(&m.Site.Site, m.Site.Times.Types), true
	for k := range m.Site.Times.Types {
		forbid(m.table.Sequential[k], m.Site.Times.Sequential[k])
		forbid(m.table.Parallel[k], m.Site.Times.Parallel[k])
	}
}

func forbid(predicted, allowed []hetero.Ticks) {
	for i, t := range allowed {
		if t >= hetero.Never {
			predicted[i] = hetero.Never
		}
	}
}

// observe adds a completed run to the experience. A full history learns no more.
func (m *simulation) observe(r *run) {
	p := hetero.Pair{Type: m.Site.Times.Types[r.Type], Parallel: r.Parallel,
		Resource: m.Site.Resource(r.Parallel, r.Resource)}
	if m.Experience.Observe(p, r.takes) == nil {
		m.fresh = false
	}
}

// Resource returns the name of a machine or a cluster.
func (s *Site) Resource(parallel bool, index int) string {
	if parallel {
		return s.Clusters[index].Name
	}
	return s.Machines[index].Name
}
