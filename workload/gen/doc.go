// Package gen draws streams of jobs from published models.
//
// A model determines when jobs are submitted, how many tasks they have and how long they run. The
// needs of a task and the users' estimates come from other models (see Augment, Estimates). All draws
// use dice that the caller provides, so a seed gives the same stream on every machine.
//
// Invariants: submissions and run times are whole seconds; no job is larger than the machine; streams
// of one seed with different numbers are independent.
//
// Reference: Lublin, Feitelson, "The Workload on Parallel Supercomputers: Modeling the Characteristics
// of Rigid Jobs" (JPDC 63(11), 2003); docs/formats/surrogates.md for the others.
package gen
