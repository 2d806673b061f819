// Package terminal adapts output to the terminal: its size, and a line that shows the progress of work.
//
// It reads no keys and draws no pages.
package terminal
