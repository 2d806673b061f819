package bound

// mostFences limits the lists of allowed nodes that get arguments of their own: those with the most
// tasks. A list may contain another one; that is checked for as many lists as there may be groups.
const mostFences = 8

// A fence is a list of allowed nodes with the tasks restricted to it. Most arguments hold for these
// tasks and nodes alone. They are stronger than prices there, because prices do not count tasks.
type fence struct {
	nodes  float64
	most   []float64 // by dimension: largest capacity of a node within
	inside []bool    // by place in kept
}

// fences returns the lists of allowed nodes with the most tasks, or nil if the search is stopped
// meanwhile.
func (in *instance) fences() (list []fence) {
	if !in.choosy {
		return nil
	}
	g := &groups{}
	heaviest := g.gather(in)
	for _, at := range heaviest[:min(mostFences, len(heaviest))] {
		if in.Ended || in.Seen(min(mostGroups, len(g.lists))*len(in.p.Nodes)+len(in.kept)) {
			return nil
		}
		list = append(list, in.fence(g, at))
	}
	return list
}

func (in *instance) fence(g *groups, within int) fence {
	f := fence{most: make([]float64, len(in.sizes)), inside: make([]bool, len(in.kept))}
	for n, may := range g.lists[within] {
		if may {
			f.nodes++
			for d, c := range in.node(n) {
				f.most[d] = max(f.most[d], c)
			}
		}
	}
	narrower := make([]bool, len(g.lists)) // the first list is that of the unrestricted tasks
	for at := 1; at < len(g.lists); at++ {
		narrower[at] = at == within || at < mostGroups && !escapes(g.lists[at], g.lists[within])
	}
	for at, list := range g.list {
		f.inside[at] = narrower[list]
	}
	return f
}

// escapes reports whether one list has a node that the other one lacks.
func escapes(list, from []bool) bool {
	for n, may := range list {
		if may && !from[n] {
			return true
		}
	}
	return false
}

// within lists the sizes in dimension b of the tasks behind a fence, and its nodes.
func (in *instance) within(f fence, b int) *run {
	r := &in.run
	r.reset(f.nodes, f.most[b])
	for _, at := range in.order(b) {
		if in.Seen(1) {
			break
		}
		if f.inside[at] {
			r.add(in.sizes[b][at], in.counts[at])
		}
	}
	return r
}
