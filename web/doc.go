// Package web serves REST under /v1: jobs, nodes, events, plans, images and tokens.
//
// It authenticates, validates, translates between JSON and the types of package cluster, and reports
// every refusal as problem+json with a code and advice. It decides nothing and stores nothing. Its needs
// from the manager are declared as the interface Manager.
//
// Invariants: only health, version and login are answered without a token; no answer repeats a secret
// or a rejected value; an accepted command is durable before its answer is sent; every list has an order
// and a bound. The OpenAPI document at /v1/openapi.json is derived from the Go types of the handlers, so
// it cannot drift from them.
//
// Errors follow RFC 9457, "Problem Details for HTTP APIs".
package web
