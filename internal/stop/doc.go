// Package stop ends the long work of a command when the user asks for it: Ctrl-C and SIGTERM end the command's
// context.
//
// It handles no signals. It cannot end work that does not watch the context: Unless only stops waiting for such work.
//
// Invariant: interrupted work returns Err, so that the command can say that it stopped before the end.
package stop
