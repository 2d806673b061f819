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
