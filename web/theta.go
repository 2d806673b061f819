package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerTheta(to huma.API) {
	register(s, to, operation("get-theta", "GET", "/v1/theta", cluster.Viewer, "Show theta",
		"The limit of the price of every promise: at most theta × the CPU of all nodes that are not down × one hour."), s.getTheta)
	register(s, to, operation("set-theta", "PUT", "/v1/theta", cluster.Operator, "Set theta",
		"A promise that costs more is refused from now on, although there is room, with cheaper alternatives. Promises and "+
			"offers that were made stay."), s.setTheta)
}

func (s *server) getTheta(ctx context.Context, _ *struct{}) (*body[api.Theta], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := api.Theta{Theta: v.Theta.Float()}
	if dearest, limited := v.Dearest(); limited {
		limit := dearest.CoreHours()
		out.LimitCoreHours = &limit
	}
	return answer(out), nil
}

func (s *server) setTheta(ctx context.Context, in *struct {
	Keyed
	Body api.NewTheta
}) (*body[api.Accepted], error) {
	theta, err := cluster.ParseTheta(in.Body.Theta)
	if err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "theta", "%v", err)
	}
	result, err := s.do(ctx, in.Key, cluster.SetTheta{Theta: theta})
	return accepted(result), err
}
