// Package linear solves linear programs with COIN-OR CLP, through CLP's own C interface. A model lives
// in C and is freed before the call returns: Go's collector does not see how large one is, so a finalizer
// would come gigabytes too late for whoever solves many (decision 0013).
//
// It states programs of one form only, that of sharing out what is scarce: maximise a weighted sum of
// variables from 0 up, each row of which takes at most so much. No variable at all is always an
// answer, so the primal simplex method starts there, without CLP's presolve: the programs that packing states have
// nothing left for it to find.
//
// Reference: J. Forrest et al., COIN-OR Linear Programming (CLP), https://github.com/coin-or/Clp.
package linear
