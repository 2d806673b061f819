// Package events keeps what happened: the events that Apply makes, appended by each replica
// to local segment files of JSON lines, for a limited time and size.
//
// Appending is idempotent: after a restart Raft applies again what its last snapshot does
// not cover, and what is already there is skipped. An unfinished line at the end, left by
// a crash, is cut off and comes again by the same way. Events are not flushed to disk one
// by one: a machine that loses power may lose the last seconds of its log, never of its state.
//
// The package knows nothing about what events mean.
package events
