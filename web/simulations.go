package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Limits of a request with a trace.
const (
	maxTrace = 40 << 20  // bytes of the request
	maxLines = 1_000_000 // of the trace; each becomes a job
)

// SimulationPath names a simulation in a path.
type SimulationPath struct {
	ID string `path:"simulation" maxLength:"32" doc:"Its id" example:"s1a2b3c4d5e"`
}

func (s *server) registerSimulations(to huma.API) {
	start := operation("start-simulation", "POST", "/v1/simulations", cluster.User, "Simulate",
		"Simulates an uploaded trace or the present jobs and nodes, under one or more policies. It runs on the answering manager, one at a time, with low priority "+
			"and limits of time and memory. Only that manager keeps it.")
	start.DefaultStatus, start.MaxBodyBytes = http.StatusCreated, maxTrace
	register(s, to, start, s.startSimulation)
	register(s, to, operation("list-simulations", "GET", "/v1/simulations", cluster.Viewer, "List simulations",
		"Only those of this manager, newest first."), s.listSimulations)
	register(s, to, operation("get-simulation", "GET", "/v1/simulations/{simulation}", cluster.Viewer, "Show a simulation",
		"With its progress while it runs."), s.getSimulation)
	register(s, to, operation("get-simulation-report", "GET", "/v1/simulations/{simulation}/report", cluster.Viewer,
		"Show a simulation's report",
		"Stretch, yield, utilization and moves under each policy, over time, and the placements."), s.getSimulationReport)
	cancel := operation("cancel-simulation", "POST", "/v1/simulations/{simulation}/cancel", cluster.User,
		"Cancel a simulation", "Users may cancel their own simulations, operators all.")
	cancel.DefaultStatus = http.StatusNoContent
	register(s, to, cancel, s.cancelSimulation)
	remove := operation("remove-simulation", "DELETE", "/v1/simulations/{simulation}", cluster.User, "Remove a simulation",
		"The simulation must have ended. Its report is removed, too.")
	remove.DefaultStatus = http.StatusNoContent
	register(s, to, remove, s.removeSimulation)
}

func (s *server) startSimulation(ctx context.Context, in *struct {
	Keyed
	Body api.NewSimulation
}) (*body[api.Simulation], error) {
	if s.simulations == nil {
		return nil, newProblem(string(cluster.CodeConflict), "manager", "this manager runs no simulations")
	}
	o, err := s.orderOf(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	o.Request = request(ctx, in.Key)
	started, err := s.simulations.Start(o)
	return answer(started), err
}

// orderOf reads the description of a simulation.
func (s *server) orderOf(ctx context.Context, in *api.NewSimulation) (o SimulationOrder, err error) {
	o = SimulationOrder{
		Name: in.Name, By: actor(ctx).Name, Owner: actor(ctx).Owner, Policies: in.Policies,
		Period: 10 * cluster.Minute, Penalty: 5 * cluster.Minute,
		Cost: in.Cost, Estimates: in.Estimates, Impossible: "skip",
	}
	if in.Impossible != "" {
		o.Impossible = in.Impossible
	}
	if (in.Trace == nil) == (in.Live == nil) {
		return o, newProblem(string(cluster.CodeInvalid), "trace", "simulate either a trace or the live jobs")
	}
	for field, of := range map[string]struct {
		text string
		to   *cluster.Time
	}{"period": {in.Period, &o.Period}, "penalty": {in.Penalty, &o.Penalty}} {
		if of.text == "" {
			continue
		}
		if field == "penalty" && strings.Trim(of.text, "0") == "s" {
			*of.to = 0
			continue
		}
		if *of.to, err = duration(field, of.text); err != nil {
			return o, err
		}
	}
	if o.Period < cluster.Second {
		return o, newProblem(string(cluster.CodeInvalid), "period", "must be at least 1s")
	}
	if in.Live != nil {
		for _, name := range in.Policies { // a stream may be simulated under policies that no cluster runs
			if _, err := s.manager.PolicyName(name); err != nil {
				return o, newProblem(string(cluster.CodeInvalid), "policies", "%v", err)
			}
		}
		return o, s.live(ctx, &o, in.Live)
	}
	if n := strings.Count(in.Trace.Text, "\n"); n > maxLines {
		return o, newProblem(string(cluster.CodeInvalid), "trace.text", "it has %d lines; at most %d are allowed",
			n, maxLines)
	}
	o.Source, o.Trace, o.Nodes = in.Trace.Format, in.Trace.Text, in.Trace.Nodes
	o.Cores, o.NodeMemory = in.Trace.Cores, cluster.Bytes(in.Trace.NodeMemoryBytes)
	return o, nil
}

func (s *server) listSimulations(context.Context, *struct{}) (*body[api.SimulationList], error) {
	list := api.SimulationList{Simulations: []api.Simulation{}}
	if s.simulations != nil {
		list.Simulations = s.simulations.List()
	}
	return answer(list), nil
}

func (s *server) simulation(id string) (api.Simulation, error) {
	if s.simulations != nil {
		for _, found := range s.simulations.List() {
			if found.ID == id {
				return found, nil
			}
		}
	}
	return api.Simulation{}, newProblem(string(cluster.CodeNotFound), "simulation",
		"this manager has no simulation with that id")
}

func (s *server) getSimulation(_ context.Context, in *SimulationPath) (*body[api.Simulation], error) {
	found, err := s.simulation(in.ID)
	return answer(found), err
}

func (s *server) getSimulationReport(_ context.Context, in *SimulationPath) (*body[api.SimulationReport], error) {
	found, err := s.simulation(in.ID)
	if err != nil {
		return nil, err
	}
	report, err := s.simulations.Report(in.ID)
	if errors.Is(err, ErrNoReport) {
		return nil, newProblem(string(cluster.CodeConflict), "simulation", "it has no report: its state is %s", found.State)
	}
	return answer(report), simulationFault(err)
}

// simulationFault reports a simulation that was removed meanwhile as not found.
func simulationFault(err error) error {
	if errors.Is(err, ErrNoSimulation) {
		return newProblem(string(cluster.CodeNotFound), "simulation", "this manager has no simulation with that id")
	}
	return err
}

// steerSimulation changes a simulation of the actor, or of any user for an operator.
func (s *server) steerSimulation(ctx context.Context, id string, do func(string) error) (*struct{}, error) {
	found, err := s.simulation(id)
	if err != nil {
		return nil, err
	}
	if a := actor(ctx); found.By != a.Name && a.Role < cluster.Operator {
		return nil, newProblem(string(cluster.CodeForbidden), "simulation", "it belongs to %s", found.By)
	}
	return nil, simulationFault(do(id))
}

func (s *server) cancelSimulation(ctx context.Context, in *SimulationPath) (*struct{}, error) {
	return s.steerSimulation(ctx, in.ID, func(id string) error { return s.simulations.Cancel(id) })
}

func (s *server) removeSimulation(ctx context.Context, in *SimulationPath) (*struct{}, error) {
	return s.steerSimulation(ctx, in.ID, func(id string) error { return s.simulations.Remove(id) })
}
