// Package stop ends the long work of a command when the user asks for it, by Ctrl-C or SIGTERM, which end its context.
//
// It handles no signals. It cannot end work that does not watch the context: Unless only stops waiting for it.
//
// Invariant: whatever is interrupted returns Err, so that the command can say that it stopped before the end.
package stop
