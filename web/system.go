package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"runtime"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

type healthOutput struct {
	Status int
	Body   api.Health
}

func (s *server) registerSystem(to huma.API) {
	register(s, to, operation("get-health", "GET", "/v1/health", 0, "Health of this replica",
		"200 when it can serve requests, 503 with the problem when it cannot."), s.getHealth)
	register(s, to, operation("get-version", "GET", "/v1/version", 0, "Version", "Version of the answering program."),
		s.getVersion)
	register(s, to, operation("get-whoami", "GET", "/v1/whoami", cluster.Viewer, "The token in use",
		"Name, owner and role of the token in use."), s.whoAmI)
	register(s, to, audited(operation("get-debug-view", "GET", "/v1/debug/view", cluster.Admin, "The whole view",
		"The encoded state as policies and planners see it now, for bug reports and for replaying a decision. It holds no "+
			"commands, arguments, values of environments and labels, user-data and contents of files, and no hashes of "+
			"tokens.")), s.debugView)
	s.registerManagers(to)
	register(s, to, operation("list-policies", "GET", "/v1/policies", cluster.Viewer, "List policies",
		"All available policies by name, without their parameters."), s.listPolicies)
	register(s, to, operation("get-policy", "GET", "/v1/policy", cluster.Viewer, "The policy",
		"The scheduling policy in force and the period of its tick."), s.getPolicy)
	set := operation("set-policy", "PUT", "/v1/policy", cluster.Admin, "Set the policy",
		"By its published name. It decides at once.")
	set.Metadata[triedKey] = s.policyNamed
	register(s, to, set, s.setPolicy)
	register(s, to, operation("set-time", "PUT", "/v1/time", cluster.Admin, "Set the cluster's time",
		"Forward or back. Jobs make no progress by it, and alarms stay as far away as they were."), s.setTime)
	s.registerMetrics(to)
}

func (s *server) getHealth(context.Context, *struct{}) (*healthOutput, error) {
	out := &healthOutput{http.StatusOK, s.health()}
	if out.Body.Status != "ok" {
		out.Status = http.StatusServiceUnavailable
	}
	return out, nil
}

func (s *server) health() api.Health {
	h := s.manager.Health()
	out := api.Health{Status: "ok", Replica: h.Replica, Leads: h.Leads, Revision: h.Revision, Problem: h.Problem,
		Version: s.version,
		Format:  h.Format, LatestFormat: cluster.LatestFormat}
	if !h.Ready {
		out.Status = "unavailable"
	}
	return out
}

func (s *server) getVersion(context.Context, *struct{}) (*body[api.Version], error) {
	return answer(api.Version{Version: s.version, API: "v1", Go: runtime.Version()}), nil
}

func (s *server) whoAmI(ctx context.Context, _ *struct{}) (*body[api.Token], error) {
	return answer(tokenJSON(bearer(ctx))), nil
}

type rawOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *server) debugView(ctx context.Context, _ *struct{}) (*rawOutput, error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := v.Redacted().Encode(&buf); err != nil {
		return nil, err
	}
	return &rawOutput{"application/octet-stream", `attachment; filename="view.state"`, buf.Bytes()}, nil
}

func (s *server) listPolicies(context.Context, *struct{}) (*body[api.PolicyList], error) {
	list := api.PolicyList{Policies: []api.PolicyLine{}}
	for _, p := range s.manager.Policies() {
		list.Policies = append(list.Policies, api.PolicyLine(p))
	}
	return answer(list), nil
}

func (s *server) getPolicy(ctx context.Context, _ *struct{}) (*body[api.Policy], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return answer(s.inForce(v)), nil
}

// inForce returns the policy in force by its whole name.
func (s *server) inForce(v *cluster.Snapshot) api.Policy {
	name, err := s.manager.PolicyName(v.Policy.Name)
	if err != nil {
		name = v.Policy.Name // of another version's catalog
	}
	return api.Policy{Name: name, Period: span(v.Policy.Period)}
}

func (s *server) setPolicy(ctx context.Context, in *struct {
	Keyed
	Body api.Policy
}) (*body[api.Accepted], error) {
	choice, err := s.policyOf(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	recordOf(ctx).about(choice.Name)
	result, err := s.do(ctx, in.Key, cluster.SetPolicy{Name: choice.Name, Period: choice.Period})
	return accepted(result), err
}

func (s *server) setTime(ctx context.Context, in *struct {
	Keyed
	Body api.NewTime
}) (*body[api.Accepted], error) {
	result, err := s.do(ctx, in.Key, cluster.SetTime{To: cluster.Time(in.Body.Time.UnixMicro())})
	return accepted(result), err
}

// maxRefused is the most bytes of a refused body that are read for the policy that it names.
const maxRefused = 4 << 10

// policyNamed returns the name of the policy in the body of a request, "" if there is none.
func (s *server) policyNamed(r *http.Request) string {
	var choice api.Policy
	if json.NewDecoder(io.LimitReader(r.Body, maxRefused)).Decode(&choice) != nil {
		return ""
	}
	name, err := s.manager.PolicyName(choice.Name)
	if err != nil {
		return ""
	}
	return name
}

// policyOf reads a policy. Without a period it keeps the one in force.
func (s *server) policyOf(ctx context.Context, in *api.Policy) (*cluster.PolicyChoice, error) {
	name, err := s.manager.PolicyName(in.Name)
	if err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "name", "%v", err)
	}
	period, err := duration("period", in.Period)
	if err != nil {
		return nil, err
	}
	if period == 0 {
		v, err := s.manager.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		period = v.Policy.Period
	}
	return &cluster.PolicyChoice{Name: name, Period: period}, nil
}

func baseContext(ctx context.Context) func(net.Listener) context.Context {
	return func(net.Listener) context.Context { return ctx }
}
