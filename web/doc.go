// Package web serves REST under /v1: jobs, nodes, events, plans, images and tokens.
//
// It authenticates, validates, translates between JSON and package cluster's vocabulary,
// and says every refusal as problem+json with a code and what to do. It decides nothing
// and keeps nothing: what it needs of the manager it declares as the interface Manager.
//
// Invariants: nothing but health and version is answered without a token; no answer
// repeats a secret or a rejected value; an accepted command is durable before its answer
// is sent; every list has an order and a bound. The OpenAPI document at /v1/openapi.json
// comes from the Go types that do the work, so that it cannot drift from them.
//
// Errors follow RFC 9457, "Problem Details for HTTP APIs".
package web
