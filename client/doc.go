// Package client is the Go client of REST, for the command line, tests and programs.
//
// It knows a list of managers and asks another one when one is down or does not know the leader. Every
// call that changes something carries an idempotency key, so the client repeats it safely and by
// itself. Followed events and output resume where they broke off, with Options.Lost also after an outage of all
// managers.
//
// It interprets nothing: answers are the types of package web/api, refusals are *Problem, and when no
// manager could be reached the error is *Unreachable.
//
// Invariant: a call does its work at most once, however often it was sent (see the Idempotency-Key
// HTTP header field, draft-ietf-httpapi-idempotency-key-header).
package client
