// Package portfolio packs with many published heuristics instead of one, helps them with local search, and says how far
// the answer can be from the best: see [Options.Search]. It is slower than MCB8 in package packing and seldom
// leaves half of its gap to the bound.
//
// A search begins with MCB8's answer. A local search balances the nodes: the one that keeps the yield
// down exchanges tasks with others until it does not any more. If a gap remains, the levels up to the bound
// are bisected; at each, the methods are tried one after the other, and then what each has left over is
// placed by chains of ejections. It ends when the gap is closed to the accuracy, or the budget is used up.
//
// Methods are those of the literature: first and best fit by decreasing size, permutation pack and choose pack
// of Leinberger et al., each under several orders of tasks, and of nodes where these differ. First fit fills
// node after node here, which places every task where taking task after task would.
//
// Invariants: deterministic; the budget counts steps, and the only clock is the stop function that is handed in;
// every answer passes packing.Problem.Feasible. Yields are levels as in package packing. It expects a problem
// that passes Validate.
//
// References: W. Leinberger, G. Karypis, V. Kumar, "Multi-capacity bin packing algorithms with applications to job
// scheduling under multiple constraints", ICPP 1999 (permutation and choose pack); M. Stillwell, D. Schanzenbach,
// F. Vivien, H. Casanova, "Resource allocation algorithms for virtualized service hosting platforms", JPDC 70(9),
// 2010, section 5 (orders, and the search for the yield); M. Stillwell, F. Vivien, H. Casanova, "Virtual machine
// resource allocation for service hosting on heterogeneous distributed platforms", IPDPS 2012 (orders of nodes, and
// trying all methods at each level); F. Glover, "Ejection chains, reference structures and alternating path methods
// for traveling salesman problems", Discrete Applied Mathematics 65, 1996.
package portfolio
