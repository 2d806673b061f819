package client

import (
	"context"
	"net/http"
	"net/url"

	"aliquot/web/api"
)

// StartSimulation queues a simulation on the preferred manager. Only that manager keeps it.
func (c *Client) StartSimulation(ctx context.Context, s api.NewSimulation) (api.Simulation, error) {
	return ask[api.Simulation](ctx, c, call{method: http.MethodPost, path: "/v1/simulations", body: s})
}

// Simulations returns the simulations of the preferred manager, newest first.
func (c *Client) Simulations(ctx context.Context) ([]api.Simulation, error) {
	list, err := ask[api.SimulationList](ctx, c, call{method: http.MethodGet, path: "/v1/simulations"})
	return list.Simulations, err
}

func simulationPath(id string) string { return "/v1/simulations/" + url.PathEscape(id) }

// Simulation returns one simulation, with its progress while it runs.
func (c *Client) Simulation(ctx context.Context, id string) (api.Simulation, error) {
	return ask[api.Simulation](ctx, c, call{method: http.MethodGet, path: simulationPath(id)})
}

// SimulationReport returns the results of a simulation.
func (c *Client) SimulationReport(ctx context.Context, id string) (api.SimulationReport, error) {
	return ask[api.SimulationReport](ctx, c, call{method: http.MethodGet, path: simulationPath(id) + "/report"})
}

// CancelSimulation ends a simulation that waits or runs.
func (c *Client) CancelSimulation(ctx context.Context, id string) error {
	return c.tell(ctx, call{method: http.MethodPost, path: simulationPath(id) + "/cancel"})
}

// RemoveSimulation deletes a simulation that has ended.
func (c *Client) RemoveSimulation(ctx context.Context, id string) error {
	return c.tell(ctx, call{method: http.MethodDelete, path: simulationPath(id)})
}

// tell sends a call whose answer has no content.
func (c *Client) tell(ctx context.Context, what call) error {
	response, err := c.send(ctx, what)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
