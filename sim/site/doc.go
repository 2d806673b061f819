// Package site reads the files of a site, which are its machines, clusters and times of jobs, and simulates streams of
// jobs on it under the policies of policy/hetero. It opens no files itself: it reads those of a file system that it is
// given.
//
// Invariants: a wrong file is refused with its name and line; the same files give the same result; decisions are made
// by the code of policy/hetero alone, which sees predictions, while runs take their true times.
//
// Reference: docs/formats/site.md, docs/policies/hetero.md.
package site
