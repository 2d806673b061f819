package web

import (
	"context"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerSpeeds(to huma.API) {
	register(s, to, operation("list-speeds", "GET", "/v1/speeds", cluster.Viewer, "List learnt speeds",
		"How fast each class of nodes does the work of jobs of one owner, type and size, as learnt from those that succeeded on nodes of one class alone. No decision uses it. Operators see all, others the work of their project."),
		s.listSpeeds)
}

func (s *server) listSpeeds(ctx context.Context, _ *struct{}) (*body[api.SpeedList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.SpeedList{Classes: []api.NodeClass{}, Speeds: []api.LearntSpeed{}}
	nodes := map[string]int{}
	for n := range v.Nodes() {
		if class := n.Description.Class; class != "" && !n.Absent {
			nodes[class]++
		}
	}
	for l := range v.LearntSpeeds() {
		if mayRead(actor(ctx), &cluster.Spec{Project: l.Project, Owner: l.Owner}) {
			nodes[l.On] += 0 // it is listed although its nodes may have gone
			list.Speeds = append(list.Speeds, api.LearntSpeed{Project: l.Project, Owner: l.Owner, Type: l.Type,
				Tasks: l.Tasks, NeedMillicores: int64(l.Need), Class: l.On, Factor: float64(l.Factor) / 1000,
				Error: l.Error.Float(), Last: clock(l.Last), Similar: similarJSON(l.RunTimes)})
		}
	}
	for _, class := range slices.Sorted(maps.Keys(nodes)) {
		list.Classes = append(list.Classes, api.NodeClass{Class: class, Nodes: nodes[class]})
	}
	return answer(list), nil
}
