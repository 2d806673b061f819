// Package document reads the files of aliquot provision, runs a method on them by name, and makes the answer.
//
// Invariants: a wrong file is refused with the place of its first fault; numbers are whole and their sums fit 64 bits;
// equal files and methods give equal answers.
//
// Reference: docs/formats/provisioning.md.
package document
