package client

import (
	"context"
	"net/http"
	"net/url"

	"aliquot/web/api"
)

// Offers returns the offers that can be accepted, by id.
func (c *Client) Offers(ctx context.Context) ([]api.Offer, error) {
	list, err := ask[api.OfferList](ctx, c, call{method: http.MethodGet, path: "/v1/offers"})
	return list.Offers, err
}

// AcceptOffer submits the job of an offer, which is promised what was held for it.
func (c *Client) AcceptOffer(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: offerPath(id) + "/accept"})
}

// DeclineOffer gives an offer back.
func (c *Client) DeclineOffer(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: offerPath(id)})
}

func offerPath(id string) string { return "/v1/offers/" + url.PathEscape(id) }

// ExtendReservation moves the end of what is promised to a job later, by a duration like 30m.
func (c *Client) ExtendReservation(ctx context.Context, job, by string) (api.Accepted, error) {
	return c.moveEnd(ctx, job, "extend", by)
}

// ShortenReservation moves the end of what is promised to a job earlier, by a duration like 30m.
func (c *Client) ShortenReservation(ctx context.Context, job, by string) (api.Accepted, error) {
	return c.moveEnd(ctx, job, "shorten", by)
}

func (c *Client) moveEnd(ctx context.Context, job, verb, by string) (api.Accepted, error) {
	path := "/v1/reservations/" + url.PathEscape(job) + "/" + verb
	return order(ctx, c, call{method: http.MethodPost, path: path, body: api.Moving{By: by}})
}
