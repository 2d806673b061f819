// Package file writes the files of commands. It does not know their contents and reads none.
//
// Invariant: a regular file is replaced by a complete one or stays as it was.
package file
