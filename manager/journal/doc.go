// Package journal keeps lines of text in files, for the charts and accounts of the past. It does
// not know their contents.
//
// Invariants: the files together are bounded in bytes and age; a damaged or torn file costs the lines that are damaged,
// and prevents neither reading nor writing.
package journal
