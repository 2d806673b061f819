// Package events keeps the history: each replica appends the events that Apply makes to local segment
// files of JSON lines, for a limited time and size.
//
// Appending is idempotent: after a restart Raft applies the commands after its last snapshot again,
// and events that are already there are skipped. An unfinished line at the end, left by a crash, is
// cut off and written again in the same way. Events are not flushed to disk one by one: a machine that
// loses power may lose the last seconds of its log, never of its state.
//
// The package does not know the meaning of events.
package events
