package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerExperience(to huma.API) {
	register(s, to, operation("list-experience", "GET", "/v1/experience", cluster.Viewer, "List run times of past jobs",
		"How long jobs that succeeded took, by owner, type and size. Policies that use estimates expect of a job what nine in ten jobs like it took, from the third on, and at most its own estimate. Operators see all, others those of their own jobs and of their project."),
		s.listExperience)
}

func (s *server) listExperience(ctx context.Context, _ *struct{}) (*body[api.ExperienceList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.ExperienceList{Experience: []api.Experience{}}
	for r := range v.Experience() {
		if mayRead(actor(ctx), &cluster.Spec{Project: r.Project, Owner: r.Owner}) {
			list.Experience = append(list.Experience, api.Experience{Project: r.Project, Owner: r.Owner, Type: r.Type,
				Tasks: r.Tasks, NeedMillicores: int64(r.Need), Succeeded: r.Runs, Last: clock(r.Last), Similar: similarJSON(r)})
		}
	}
	return answer(list), nil
}

func similarJSON(r *cluster.RunTimes) api.Similar {
	return api.Similar{Runs: len(r.Latest), MedianSeconds: r.Median().Seconds(), MostSeconds: r.Most().Seconds()}
}
