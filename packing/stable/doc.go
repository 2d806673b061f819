// Package stable packs anew what is packed already, and moves little.
//
// MCB8 maps all tasks from nothing, so that hardly any stays where it was. Here MCB8 only tells which yield can be
// reached. At that level, less a tolerance, the mapping in force is mended: what a node cannot hold is taken off it,
// the tasks that gain most for the memory that they move; tasks without a node go where least is left; if one
// fits nowhere, another makes room for it that fits elsewhere, or some smaller ones are put out and look for nodes
// in turn. Only if that comes to no end is MCB8's packing taken: its parts on the nodes where most of each is
// (package assign), from where tasks go home that can ([Home]).
//
// It does not say whether a plan is worth its moves: that depends on time and on what a move costs, which are the
// caller's.
//
// Invariants: levels are yields (no item has a [packing.Line]); all that MCB8 keeps is mapped; the least yield is at
// least MCB8's, less the tolerance; items that are pinned stay on their nodes; the same arguments give the same result,
// after a number of steps that a budget bounds.
//
// Reference: the repair is an ejection chain: F. Glover, "Ejection chains, reference structures and alternating path
// methods for traveling salesman problems", Discrete Applied Mathematics 65 (1996).
package stable
