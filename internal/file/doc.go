// Package file writes the files that commands make.
//
// It does not know what is in them, and it reads none.
//
// Invariant: a regular file is replaced by a complete one or stays as it was.
package file
