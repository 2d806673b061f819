// Package bound says how good a packing can be at most: no mapping of some items gives all of them a level (a yield)
// above [Of]. Beside the yield that a heuristic reached it is a certificate of how much can be missing.
//
// A level is refuted by one of a few arguments, each valid for every mapping: what the tasks take there does not
// fit into the sum of the nodes, or only with prices per group of nodes that make every task's cheapest place too dear in
// sum (together they are the linear relaxation, where tasks may be split among nodes that could take them, as far as
// there are not more kinds of nodes than groups); more large tasks than nodes (pigeonhole); a
// function of their sizes that no full node lets exceed 1 (dual-feasible); these two among those tasks that may go to
// some nodes only, on these, or that cannot share a node with huge ones, on the nodes that these leave; and more slots for tasks than nodes
// have, if large ones, beside which fewer fit, count as several. What is reported is the lowest level that
// was refuted. It packs nothing, and it need not be reachable.
//
// Limits: all arguments but the prices count every node as large as the largest, or the largest that is allowed, in each dimension, and do not
// know which tasks are to be spread; slots, and huge tasks set aside, not which nodes are allowed.
//
// Invariants: a function of its arguments, which are left alone; tolerant to rounding by a relative 1e-9, always
// to the side of a higher bound; some thousand looks at each item at most, and
// seldom a third of that.
//
// References: S. Martello, P. Toth, "Lower bounds and reduction procedures for the bin packing problem",
// Discrete Applied Mathematics 28, 1990 (huge tasks set aside); S. Fekete, J. Schepers, "New classes of fast lower
// bounds for bin packing problems", Mathematical Programming 91, 2001 (dual-feasible functions u^(k)); M. Stillwell,
// D. Schanzenbach, F. Vivien, H. Casanova, "Resource allocation algorithms for virtualized service hosting
// platforms", JPDC 70(9), 2010, section 3 (the relaxation as a bound to the minimum yield); A. Geoffrion, "Lagrangean
// relaxation for integer programming", Mathematical Programming Study 2, 1974 (prices).
package bound
