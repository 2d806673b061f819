// Package stable repacks with few moves.
//
// MCB8 maps all tasks from scratch, so hardly any stays in place. Here MCB8 only provides the yield
// that can be reached. At that level, less a tolerance, the present mapping is repaired. Overfull
// nodes evict the tasks that relieve most for the memory that they move. Tasks without a node go to
// the node where least is left. If a task fits nowhere, it takes the place of one that fits elsewhere,
// or of some smaller ones, which then look for nodes in turn. Only if the repair fails is MCB8's
// packing taken: its parts on the nodes where most of each is (package assign), from where tasks
// return home if they can ([Home]).
//
// The package does not decide whether a plan is worth its moves. That depends on time and on the cost
// of a move, which the caller knows.
//
// Invariants: levels are yields (no item has a [packing.Line]); every item that MCB8 keeps is mapped;
// the least yield is at least MCB8's, less the tolerance; pinned items stay on their nodes; the same
// arguments give the same result, within a budget of steps.
//
// Reference: the repair is an ejection chain: F. Glover, "Ejection chains, reference structures and
// alternating path methods for traveling salesman problems", Discrete Applied Mathematics 65 (1996).
package stable
