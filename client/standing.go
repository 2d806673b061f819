package client

import (
	"context"
	"net/http"
	"net/url"

	"aliquot/web/api"
)

// Standing returns the standing reservations, by id.
func (c *Client) Standing(ctx context.Context) ([]api.Standing, error) {
	list, err := ask[api.StandingList](ctx, c, call{method: http.MethodGet, path: "/v1/standing"})
	return list.Standing, err
}

// Stand makes a standing reservation. The same key again makes no other; "": a new one.
func (c *Client) Stand(ctx context.Context, spec api.StandingSpec, key string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: "/v1/standing", body: spec, key: key})
}

// CancelStanding ends a standing reservation and cancels those of its jobs that have not begun.
func (c *Client) CancelStanding(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: "/v1/standing/" + url.PathEscape(id)})
}
