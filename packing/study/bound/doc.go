// Package bound computes an upper bound on the quality of a packing: no mapping of the kept items
// gives all of them a level (a yield) above [Of]. Together with the yield of a heuristic it certifies
// how much can be missing.
//
// A level is refuted by one of a few arguments, each valid for every mapping. Sums: the tasks' use
// does not fit into the sum of the nodes. Prices: with some price per group of nodes, the tasks cost
// too much even if each goes where it is cheapest. (Sums and prices together are the linear
// relaxation, in which tasks may be split among their allowed nodes, if there are no more kinds of
// nodes than groups.) Pigeonhole: there are more large tasks than nodes. Dual: a dual-feasible
// function of their sizes, which is at most 1 for any full node, exceeds the number of nodes. The last
// two are also applied to the tasks that are restricted to some nodes, on these nodes, and to the
// tasks that cannot share a node with huge ones, on the nodes that the huge ones leave. Slots: the
// nodes have too few slots for the tasks, where a large task, which leaves room for fewer others,
// counts as several. The result is the lowest refuted level. The package packs nothing, and the bound
// need not be reachable.
//
// Limits: all arguments but prices assume that every node is as large as the largest (allowed) one in
// each dimension, and ignore Spread. Slots and the exclusion of huge tasks ignore which nodes are
// allowed.
//
// Invariants: a function of its arguments, which it leaves alone; rounding is tolerated up to a
// relative 1e-9, always towards a higher bound; each item is examined at most a few thousand times,
// and seldom a third of that.
//
// References: S. Martello, P. Toth, "Lower bounds and reduction procedures for the bin packing
// problem", Discrete Applied Mathematics 28, 1990 (huge tasks set aside); S. Fekete, J. Schepers, "New
// classes of fast lower bounds for bin packing problems", Mathematical Programming 91, 2001
// (dual-feasible functions u^(k)); M. Stillwell, D. Schanzenbach, F. Vivien, H. Casanova, "Resource
// allocation algorithms for virtualized service hosting platforms", JPDC 70(9), 2010, section 3 (the
// relaxation as a bound to the minimum yield); A. Geoffrion, "Lagrangean relaxation for integer
// programming", Mathematical Programming Study 2, 1974 (prices).
package bound
