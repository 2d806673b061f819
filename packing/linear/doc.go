// Package linear solves linear programs with COIN-OR CLP, through CLP's own C interface. A model lives
// in C and is freed before the call returns. Go's collector does not see the size of a model, so a
// finalizer would run gigabytes too late for a caller that solves many (decision 0013).
//
// All programs have the form of sharing a scarce resource: maximise a weighted sum of non-negative
// variables, where each row has an upper limit. Zero is always feasible, so the primal simplex method
// starts there, without CLP's presolve: the programs of package packing leave it nothing to find.
//
// Reference: J. Forrest et al., COIN-OR Linear Programming (CLP), https://github.com/coin-or/Clp.
package linear
