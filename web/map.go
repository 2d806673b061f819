package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerMap(to huma.API) {
	register(s, to, measured(operation("get-map", "GET", "/v1/map", cluster.Viewer, "The map of the cluster",
		"The nodes with the share of every VM, for drawing: up to a thousand nodes in one answer.")), s.getMap)
}

func (s *server) getMap(ctx context.Context, in *struct {
	Node   string `query:"node" maxLength:"63" doc:"Only this node"`
	Cursor string `query:"cursor" maxLength:"63" doc:"Next of the previous page: the name of a node"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"Nodes"`
}) (*body[api.ClusterMap], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var after, only cluster.NodeID
	for name, id := range map[string]*cluster.NodeID{in.Cursor: &after, in.Node: &only} {
		if name == "" {
			continue
		}
		n, err := nodeNamed(v, name)
		if err != nil {
			return nil, err
		}
		*id = n.ID
	}
	page := api.ClusterMap{Revision: v.Revision, At: clock(v.At), Nodes: []api.MapNode{}}
	read := s.reader(ctx, v)
	vms := read.vms()
	for n := range v.Nodes() {
		if n.ID <= after || only != 0 && n.ID != only {
			continue
		}
		if len(page.Nodes) == in.Limit {
			page.Next = page.Nodes[in.Limit-1].Name
			break
		}
		page.Nodes = append(page.Nodes, read.mapNode(n, vms[n.ID]))
	}
	return answer(page), nil
}

func (r reader) mapNode(n *cluster.Node, vms []api.MapVM) api.MapNode {
	c := n.Capacity()
	out := api.MapNode{
		Name: n.Name, State: nodeState(r.view, n), CPUMillicores: int64(c.CPU), ShareMillicores: int64(n.Shared().Granted()),
		GuaranteedMillicores: int64(n.Load.Guaranteed),
		MemoryBytes:          int64(c.Memory), MemoryReservedBytes: int64(reserved(n)),
		ForeignMillicores: int64(n.Foreign.CPU), ForeignMemoryBytes: int64(n.Foreign.Memory), VMs: vms,
	}
	if vms == nil {
		out.VMs = []api.MapVM{}
	}
	var used int64
	for i := range vms {
		if u := vms[i].UsedMillicores; u != nil {
			used += *u
			out.UsedMillicores = &used
		}
	}
	return out
}

// vms lists the VMs on all nodes, including VMs that move there.
func (r reader) vms() map[cluster.NodeID][]api.MapVM {
	out := map[cluster.NodeID][]api.MapVM{}
	for j := range r.view.Jobs() {
		for i := range j.Tasks {
			t, m := &j.Tasks[i], r.move(j, i)
			vm := api.MapVM{
				Job: j.ID.String(), Task: i, State: taskState(t, m), Tier: t.Tier.String(), NeedMillicores: int64(j.Spec.Need),
				CapAskedMillicores: int64(t.Cap), CapObservedMillicores: int64(t.Observed),
				MemoryBytes: int64(r.view.Charge(j.Spec)),
			}
			if t.Present() {
				here := vm
				here.Core = int(r.view.Core(j.ID, i, t.Node))
				if u, ok := r.usage(cluster.RunID{Job: j.ID, Index: i, Number: t.Run}); ok {
					cpu := int64(u.CPU)
					here.UsedMillicores = &cpu
				}
				out[t.Node] = append(out[t.Node], here)
			}
			if m != nil && m.Kind.Fills() {
				vm.Core = int(r.view.Core(j.ID, i, m.To))
				vm.Arriving, vm.Tier, vm.CapAskedMillicores, vm.CapObservedMillicores = true, m.Tier.String(), int64(m.CPU), 0
				out[m.To] = append(out[m.To], vm)
			}
		}
	}
	return out
}
