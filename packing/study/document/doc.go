// Package document reads the files of `aliquot pack`: tasks to be mapped to nodes, as CSV or JSON.
//
// It solves nothing and opens no file: it parses text. Every error names the file and the line.
//
// Invariants: the result depends on the text alone; an instance stays within the limits of this package, so that a
// short text cannot exhaust memory; all quantities are whole numbers of billionths of a unit node.
//
// Reference: docs/formats/packing.md.
package document
