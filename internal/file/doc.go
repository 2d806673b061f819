// Package file writes the files of commands and reads their secrets. It does not know their contents.
//
// Invariant: a regular file is replaced by a complete one or stays as it was.
package file
