package ceiling

import (
	"fmt"
	"slices"

	"aliquot/cluster"
)

// places holds the nodes that are up and the sets of them that jobs may use.
type places struct {
	view     *cluster.View
	nodes    []*cluster.Node
	index    map[cluster.NodeID]int
	immobile bool              // some move no VMs alive
	shared   map[string][]bool // by the jobs' constraints: the nodes that are open to them; nil: all
}

func newPlaces(v *cluster.View) *places {
	p := &places{view: v, index: map[cluster.NodeID]int{}, shared: map[string][]bool{}}
	for n := range v.Nodes() {
		if n.Offer() != (cluster.Offer{}) {
			p.index[n.ID] = len(p.nodes)
			p.immobile = p.immobile || n.Description.Immobile
			p.nodes = append(p.nodes, n)
		}
	}
	return p
}

func (p *places) up(nodes []cluster.NodeID) bool {
	return !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool {
		_, ok := p.index[n]
		return !ok
	})
}

// allowed returns the nodes where a job's tasks may go, may stay, or will be; nil: everywhere. Jobs with equal
// constraints that are nowhere else share one list.
func (p *places) allowed(j *cluster.Job, held []cluster.NodeID) []bool {
	wish, ordinary := p.wish(j)
	list, ok := p.shared[wish]
	if !ok || !ordinary {
		list = p.list(j, ordinary)
	}
	if ordinary {
		p.shared[wish] = list
	}
	own := false
	add := func(id cluster.NodeID) {
		n, ok := p.index[id]
		if !ok || list == nil || list[n] {
			return
		}
		if !own {
			list, own = slices.Clone(list), true
		}
		list[n] = true
	}
	for _, id := range held {
		add(id)
	}
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Present() && p.view.Condition(p.view.Node(t.Node)) != cluster.NodeLeaving {
			add(t.Node)
		}
	}
	return list
}

// wish returns a key of everything that decides which open nodes the job may use. ordinary is false if the key does
// not suffice.
func (p *places) wish(j *cluster.Job) (wish string, ordinary bool) {
	platform, first := "", true
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase == cluster.Done {
			continue
		}
		if t.Avoid != 0 || !first && t.Platform != platform || p.immobile && t.Node != 0 {
			return "", false
		}
		platform, first = t.Platform, false
	}
	if c := j.Spec.Placement; j.Spec.Choosy() {
		return fmt.Sprintf("%q %q %q %v", platform, c.Nodes, c.Match, j.Spec.Demands()), !p.view.Stuck(j)
	}
	return platform, !p.view.Stuck(j)
}

func (p *places) list(j *cluster.Job, open bool) []bool {
	list, allows, everywhere := make([]bool, len(p.nodes)), p.view.Allowing(j), true
	for n, node := range p.nodes {
		list[n] = allows(node) && (!open || p.view.Condition(node) == cluster.NodeOpen)
		everywhere = everywhere && list[n]
	}
	if everywhere {
		return nil
	}
	return list
}
