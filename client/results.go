package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"aliquot/web/api"
)

// ResultQuery selects files that a task has left.
type ResultQuery struct {
	Task, Run int    // Run 0: the latest
	Path      string // only this file, all of this folder, or what matches this pattern; "": all
}

func (q ResultQuery) call(id, what string) call {
	query := url.Values{"run": {strconv.Itoa(q.Run)}}
	if q.Path != "" {
		query.Set("path", q.Path)
	}
	return call{method: http.MethodGet, path: jobPath(id) + "/tasks/" + strconv.Itoa(q.Task) + "/files" + what,
		query: query}
}

// Results lists all files that a task has left; the path of the query does not count.
func (c *Client) Results(ctx context.Context, id string, q ResultQuery) (api.Results, error) {
	q.Path = ""
	return ask[api.Results](ctx, c, q.call(id, ""))
}

// ResultArchive opens a tar archive of the files; the caller closes it. Reading fails if it breaks off.
func (c *Client) ResultArchive(ctx context.Context, id string, q ResultQuery) (io.ReadCloser, error) {
	response, err := c.send(ctx, q.call(id, "/archive"))
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}
