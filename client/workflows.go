package client

import (
	"context"
	"net/http"
	"net/url"

	"aliquot/web/api"
)

// SubmitWorkflow submits all tasks of a workflow, or none. Repetitions with the same key submit it once; "" generates a
// key.
func (c *Client) SubmitWorkflow(ctx context.Context, w api.WorkflowSpec, key string) (api.WorkflowAccepted, error) {
	return ask[api.WorkflowAccepted](ctx, c, call{method: http.MethodPost, path: "/v1/workflows", body: w, key: key})
}

// ResumeWorkflow submits the tasks of a workflow again that failed or were cancelled.
func (c *Client) ResumeWorkflow(ctx context.Context, id string) (api.WorkflowAccepted, error) {
	return ask[api.WorkflowAccepted](ctx, c, call{method: http.MethodPost, path: workflowPath(id) + "/resume"})
}

// CancelWorkflow cancels the jobs of a workflow that have not ended.
func (c *Client) CancelWorkflow(ctx context.Context, id string) (api.WorkflowCancelled, error) {
	return ask[api.WorkflowCancelled](ctx, c, call{method: http.MethodDelete, path: workflowPath(id)})
}

// Workflows returns the workflows of which a job is remembered, newest first, without their tasks; a thousand at most.
func (c *Client) Workflows(ctx context.Context, state string) (api.WorkflowList, error) {
	query := url.Values{}
	if state != "" {
		query.Set("state", state)
	}
	return ask[api.WorkflowList](ctx, c, call{method: http.MethodGet, path: "/v1/workflows", query: query})
}

// Workflow returns a workflow with its tasks.
func (c *Client) Workflow(ctx context.Context, id string) (api.Workflow, error) {
	return ask[api.Workflow](ctx, c, call{method: http.MethodGet, path: workflowPath(id)})
}

func workflowPath(id string) string { return "/v1/workflows/" + url.PathEscape(id) }
