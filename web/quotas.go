package web

import (
	"cmp"
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerQuotas(to huma.API) {
	register(s, to, operation("list-quotas", "GET", "/v1/quotas", cluster.Viewer, "List quotas",
		"What the jobs of projects and owners take until they end, and the most that they may. Operators see all, others those of their own project and owner."),
		s.listQuotas)
	register(s, to, operation("set-quota", "PUT", "/v1/quotas", cluster.Admin, "Set a quota",
		"It replaces the quota of the project or owner. Jobs that were submitted before stay, even beyond it."), s.setQuota)
}

func (s *server) listQuotas(ctx context.Context, _ *struct{}) (*body[api.QuotaList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.QuotaList{Quotas: []api.Quota{}}
	for _, q := range quotasFor(v, actor(ctx)) {
		own := v.QuotaOf(q.Project, q.Owner)
		list.Quotas = append(list.Quotas, api.Quota{Project: q.Project, Owner: q.Owner, Most: amounts(own.Most),
			Weight: own.Weighs(),
			Used:   amounts(v.UseOf(q.Project, q.Owner))})
	}
	return answer(list), nil
}

// quotasFor returns the quotas that the actor may see.
func quotasFor(v *cluster.Snapshot, a cluster.Actor) []cluster.Quota {
	if a.Role >= cluster.Operator {
		return v.Quotas()
	}
	return []cluster.Quota{{Project: a.Project}, {Owner: a.Owner}}
}

func amounts(u cluster.Use) api.Amounts {
	return api.Amounts{Jobs: u.Jobs, Tasks: u.Tasks, CPUMillicores: int64(u.CPU), MemoryBytes: int64(u.Memory),
		LogBytes: int64(u.Logs), SpecBytes: int64(u.Text)}
}

func (s *server) setQuota(ctx context.Context, in *struct {
	Keyed
	Body api.NewQuota
}) (*body[api.Accepted], error) {
	most, err := mostOf(&in.Body)
	if err != nil {
		return nil, err
	}
	recordOf(ctx).about(cmp.Or(in.Body.Project, in.Body.Owner))
	result, err := s.do(ctx, in.Key, cluster.SetQuota{Quota: cluster.Quota{Project: in.Body.Project, Owner: in.Body.Owner,
		Most: most, Weight: in.Body.Weight}})
	return accepted(result), err
}

// mostOf reads the limits of a quota.
func mostOf(in *api.NewQuota) (cluster.Use, error) {
	most := cluster.Use{Jobs: in.Jobs, Tasks: in.Tasks}
	var err error
	if in.CPU != "" {
		if most.CPU, err = cluster.ParseCPU(in.CPU); err != nil {
			return most, newProblem(string(cluster.CodeInvalid), "cpu",
				"is not an amount of CPU: write millicores like 500m or cores like 1.5")
		}
	}
	if in.Memory != "" {
		if most.Memory, err = memory(in.Memory); err != nil {
			return most, err
		}
	}
	for _, of := range []struct {
		field, text string
		to          *cluster.Bytes
	}{{"logs", in.Logs, &most.Logs}, {"specs", in.Specs, &most.Text}} {
		if of.text == "" {
			continue
		}
		if *of.to, err = cluster.ParseBytes(of.text); err != nil {
			return most, badBytes(of.field, of.text)
		}
	}
	return most, nil
}
