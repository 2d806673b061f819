// Package study holds what the reproductions of papers have in common: experiments with their results, plots of means
// with intervals of confidence, and the page and the tables of claims. It knows no paper and runs nothing.
//
// Invariants: a value that lacks one of its experiments counts as not run; a sample decides no claim.
//
// Reference: docs/reproduction.md.
package study
