// Package terminal knows whether somebody watches: the size of a terminal, and a line that shows how far work is.
//
// It reads no keys and draws no pages.
package terminal
