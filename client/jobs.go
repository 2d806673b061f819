package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"aliquot/web/api"
)

// Submit submits a job. Repetitions with the same key submit it once; "" generates a key.
func (c *Client) Submit(ctx context.Context, spec api.JobSpec, key string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: "/v1/jobs", body: spec, key: key})
}

// SubmitHolding submits a job as Submit does. If it is refused because its promise has no room, alternatives are held
// for a duration like 2m instead of a minute; 0: they are not. It needs a manager that knows offers.
func (c *Client) SubmitHolding(ctx context.Context, spec api.JobSpec, key, hold string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: "/v1/jobs", body: spec, key: key,
		query: url.Values{"hold": {hold}}})
}

// CheckJob returns the refusal that submitting the job would now meet, or nil. Nothing is submitted.
func (c *Client) CheckJob(ctx context.Context, spec api.JobSpec) error {
	return c.tell(ctx, call{method: http.MethodPost, path: "/v1/jobs/check", body: spec})
}

// JobFilter selects jobs; zero fields do not restrict.
type JobFilter struct {
	Owner, Project, Name string
	Search               string // words that must all occur in the job's names
	Node                 string // on which it has a VM or a placed task
	States, Labels       []string
	Tasks                bool // include their tasks
	Limit                int  // of all pages together; 0: no limit
}

// Jobs yields the matching jobs, newest first, page by page. An error ends the sequence.
func (c *Client) Jobs(ctx context.Context, f JobFilter) iter.Seq2[api.Job, error] {
	return func(yield func(api.Job, error) bool) {
		query := f.query()
		for seen := 0; ; {
			page, err := ask[api.JobPage](ctx, c, call{method: http.MethodGet, path: "/v1/jobs", query: query})
			if err != nil {
				yield(api.Job{}, err)
				return
			}
			for _, j := range page.Jobs {
				if !yield(j, nil) {
					return
				}
				if seen++; seen == f.Limit {
					return
				}
			}
			if page.Next == "" {
				return
			}
			query.Set("cursor", page.Next)
		}
	}
}

func (f JobFilter) query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{
		"owner": f.Owner, "project": f.Project, "name": f.Name, "search": f.Search, "node": f.Node,
		"state": strings.Join(f.States, ","),
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for _, label := range f.Labels {
		q.Add("label", label)
	}
	if f.Tasks {
		q.Set("tasks", "true")
	}
	if f.Limit > 0 && f.Limit < 1000 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	return q
}

// Job returns one job with its tasks.
func (c *Client) Job(ctx context.Context, id string) (api.Job, error) {
	return ask[api.Job](ctx, c, call{method: http.MethodGet, path: jobPath(id)})
}

func jobPath(id string) string { return "/v1/jobs/" + url.PathEscape(id) }

// Cancel ends a job; a cause of "" is the canceller's name.
func (c *Client) Cancel(ctx context.Context, id, cause string) (api.Accepted, error) {
	what := call{method: http.MethodDelete, path: jobPath(id)}
	if cause != "" {
		what.query = url.Values{"cause": {cause}}
	}
	return order(ctx, c, what)
}

// Hold keeps a job from running until it is released.
func (c *Client) Hold(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: jobPath(id) + "/hold"})
}

// Release undoes Hold.
func (c *Client) Release(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: jobPath(id) + "/release"})
}

// Ended reports whether the job has ended.
func Ended(j *api.Job) bool { return j.Ended != nil }
