// Package market plans workflows on the priced slots of providers. A provider either advertises the holes of its
// schedule as slots, or answers queries for any slot with a price: the delay that the slot causes to the tasks of its
// queue. A plan places every task of a workflow; plans differ in cost and makespan, and none is best: the package
// returns the front of those that no other beats in both.
//
// MOGA and Greedy are those of the thesis. Sweep and Best are ours. The package reads no files and knows neither nodes
// nor virtual machines.
//
// Invariants: a result depends on the arguments alone; time and prices are whole numbers; ties are broken by rules, not
// by chance; Check recomputes the cost and the makespan of a plan without the code that made it.
//
// Reference: G. Singh, "An End-to-End Framework for Provisioning Based Resource and Application Management in Grids"
// (PhD thesis, University of Southern California, 2008). docs/policies/provisioning.md has what the text leaves open.
package market
