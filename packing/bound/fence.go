package bound

// mostFences is how many lists of allowed nodes are looked at by themselves: those that most tasks go by. Whether one is within
// another is asked of so many as there may be groups.
const mostFences = 8

// A fence is a list of allowed nodes, and who may not leave it: of these tasks and nodes alone most arguments hold as of all. That
// is more than prices tell: they do not count tasks.
type fence struct {
	nodes  float64
	most   []float64 // by dimension: largest capacity of a node within
	inside []bool    // by place in kept
}

// fences are the heaviest lists of allowed nodes; nil if there is to be an end before.
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
	narrower := make([]bool, len(g.lists)) // the first list is that of those who may go everywhere
	for at := 1; at < len(g.lists); at++ {
		narrower[at] = at == within || at < mostGroups && !escapes(g.lists[at], g.lists[within])
	}
	for at, list := range g.list {
		f.inside[at] = narrower[list]
	}
	return f
}

// escapes tells whether one list has a node that the other has not.
func escapes(list, from []bool) bool {
	for n, may := range list {
		if may && !from[n] {
			return true
		}
	}
	return false
}

// within lists what the tasks behind a fence take in dimension b, and the nodes there.
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
