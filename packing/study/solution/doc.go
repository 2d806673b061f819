// Package solution solves an instance of package document by a method that has a name, bounds what no mapping can
// exceed, and draws the result. It is the work of `aliquot pack`.
//
// It reads and writes no files, and it does not print.
//
// Invariants: the result depends on the instance and the options alone, unless Stop ends the search; the bound is never
// looser than the bound by sums, even if the search is cut short.
//
// Reference: docs/packing.md.
package solution
