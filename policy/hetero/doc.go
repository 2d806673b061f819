// Package hetero schedules jobs on the unlike machines of a site: OLB gives the next job to the next idle machine, SJS
// chooses a machine for each job of a queue, and PJS also runs jobs in parallel on clusters of machines. The times that
// a type of job takes on each machine and cluster are known, from Experience or from a table. A machine runs one job
// at a time. The measure is the sum of the times from the submissions of jobs to their ends.
//
// The package does not read files, and it knows neither nodes nor virtual machines: docs/decisions/0067 says why.
// docs/policies/hetero.md has what the paper leaves open.
//
// Invariants: a decision depends on its arguments alone; all times are whole milliseconds; no two runs overlap on a
// machine; a run that stays keeps its interval.
//
// Reference: D. E. Collins, A. D. George, "Parallel and Sequential Job Scheduling in Heterogeneous Clusters: A
// Simulation Study using Software in the Loop" (Simulation, 2001).
package hetero
