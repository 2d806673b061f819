// Package gen draws streams of jobs from published models.
//
// A model says when jobs come, how many tasks they have and how long they run; what a task
// needs of a node is another model's business (see Augment). Everything is drawn from dice
// that are handed in, so a seed makes the same stream on every machine.
//
// Invariants: submissions and run times are whole seconds; no job is larger than the
// machine; streams of one seed with different numbers are independent.
//
// Reference: Lublin, Feitelson, "The Workload on Parallel Supercomputers: Modeling the
// Characteristics of Rigid Jobs" (JPDC 63(11), 2003).
package gen
