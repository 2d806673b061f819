package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerExperience(to huma.API) {
	register(s, to, operation("list-experience", "GET", "/v1/experience", cluster.Viewer, "List run times of past jobs",
		"How long jobs that succeeded took, by owner, type and size. When three have succeeded, policies that use estimates expect of the next what nine in ten of them took, at most its own estimate. Operators see all, others those of their project."),
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
				Tasks: r.Tasks, NeedMillicores: int64(r.Need), Last: clock(r.Last), Similar: similarJSON(r)})
		}
	}
	return answer(list), nil
}

// similar tells how long jobs like one with the spec took; nil: too few are known.
func (r reader) similar(spec *cluster.Spec) *api.Similar {
	like := r.view.Similar(spec)
	if like == nil {
		return nil
	}
	similar := similarJSON(like)
	return &similar
}

func similarJSON(r *cluster.RunTimes) api.Similar {
	return api.Similar{Succeeded: r.Runs, Latest: len(r.Latest), MedianSeconds: r.Median().Seconds(),
		MostSeconds: r.Most().Seconds()}
}
