package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"aliquot/web/api"
)

// Stretch is a period divided into a limited number of rows. The server chooses zero fields; its
// default is the last hour.
type Stretch struct {
	From, To time.Time
	Rows     int
}

func (s Stretch) query() url.Values {
	q := url.Values{}
	for name, t := range map[string]time.Time{"from": s.From, "to": s.To} {
		if !t.IsZero() {
			q.Set(name, t.UTC().Format(time.RFC3339Nano))
		}
	}
	if s.Rows > 0 {
		q.Set("rows", strconv.Itoa(s.Rows))
	}
	return q
}

// Series returns the cluster over time.
func (c *Client) Series(ctx context.Context, s Stretch) (api.ClusterSeries, error) {
	return ask[api.ClusterSeries](ctx, c, call{method: http.MethodGet, path: "/v1/series", query: s.query()})
}

// NodeSeries returns a node over time.
func (c *Client) NodeSeries(ctx context.Context, name string, s Stretch) (api.NodeSeries, error) {
	return ask[api.NodeSeries](ctx, c, call{method: http.MethodGet, path: nodePath(name) + "/series", query: s.query()})
}

// JobUsage returns the use of up to a hundred tasks of a job over time, starting with the task first.
func (c *Client) JobUsage(ctx context.Context, id string, first int, s Stretch) (api.JobUsage, error) {
	query := s.query()
	query.Set("first", strconv.Itoa(first))
	return ask[api.JobUsage](ctx, c, call{method: http.MethodGet, path: jobPath(id) + "/usage", query: query})
}

// Experience returns how long jobs that succeeded took, by owner, type and size.
func (c *Client) Experience(ctx context.Context) (api.ExperienceList, error) {
	return ask[api.ExperienceList](ctx, c, call{method: http.MethodGet, path: "/v1/experience"})
}

// UsageFilter selects a report of usage. The server chooses zero fields; its default is the last week by owner, in sum.
type UsageFilter struct {
	From, To time.Time
	By       string // owner or project
	Step     string // hour, day or all
}

// Usage returns what the jobs of owners or projects had over time.
func (c *Client) Usage(ctx context.Context, f UsageFilter) (api.UsageReport, error) {
	query := Stretch{From: f.From, To: f.To}.query()
	for name, value := range map[string]string{"by": f.By, "step": f.Step} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return ask[api.UsageReport](ctx, c, call{method: http.MethodGet, path: "/v1/usage", query: query})
}

// JobTimeline yields the spans of a job's life: first those that last, then those that have ended, the
// latest end first. An error ends the sequence.
func (c *Client) JobTimeline(ctx context.Context, id string) iter.Seq2[api.Span, error] {
	return c.spans(ctx, jobPath(id)+"/timeline", url.Values{})
}

// Timeline yields the spans of the stretch in the same order, for all nodes or, if node is not empty,
// for one. An error ends the sequence.
func (c *Client) Timeline(ctx context.Context, node string, s Stretch) iter.Seq2[api.Span, error] {
	query := s.query()
	query.Del("rows")
	if node != "" {
		query.Set("node", node)
	}
	return c.spans(ctx, "/v1/timeline", query)
}

func (c *Client) spans(ctx context.Context, path string, query url.Values) iter.Seq2[api.Span, error] {
	return func(yield func(api.Span, error) bool) {
		for {
			page, err := ask[api.Timeline](ctx, c, call{method: http.MethodGet, path: path, query: query})
			if err != nil {
				yield(api.Span{}, err)
				return
			}
			for _, s := range page.Spans {
				if !yield(s, nil) {
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

// Speeds returns how fast each class of nodes does each kind of work.
func (c *Client) Speeds(ctx context.Context) (api.SpeedList, error) {
	return ask[api.SpeedList](ctx, c, call{method: http.MethodGet, path: "/v1/speeds"})
}
