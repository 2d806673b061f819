// Package portfolio packs with many published heuristics instead of one, improves them by local
// search, and bounds how far the answer can be from the best: see [Options.Search]. It is slower than
// MCB8 in package packing and seldom leaves half of MCB8's gap to the bound.
//
// A search starts with MCB8's answer. Local search balances the nodes: the node that limits the yield
// exchanges tasks with others until it no longer limits it. If a gap remains, the levels up to the
// bound are bisected. At each level the methods are tried one after the other; then the tasks that
// each left over are placed by chains of ejections. The search ends when the gap is closed to the
// accuracy, or when the budget is used up.
//
// Methods are those of the literature: first and best fit by decreasing size, permutation pack and
// choose pack of Leinberger et al., each under several orders of tasks, and of nodes if these differ.
// First fit fills node after node here, which places every task where taking task after task would.
//
// Invariants: deterministic; the budget counts steps, and the only clock is the caller's stop
// function; every answer passes packing.Problem.Feasible. Yields are levels as in package packing. The
// problem must pass Validate.
//
// References: W. Leinberger, G. Karypis, V. Kumar, "Multi-capacity bin packing algorithms with
// applications to job scheduling under multiple constraints", ICPP 1999 (permutation and choose pack);
// M. Stillwell, D. Schanzenbach, F. Vivien, H. Casanova, "Resource allocation algorithms for
// virtualized service hosting platforms", JPDC 70(9), 2010, section 5 (orders, and the search for the
// yield); M. Stillwell, F. Vivien, H. Casanova, "Virtual machine resource allocation for service
// hosting on heterogeneous distributed platforms", IPDPS 2012 (orders of nodes, and trying all methods
// at each level); F. Glover, "Ejection chains, reference structures and alternating path methods for
// traveling salesman problems", Discrete Applied Mathematics 65, 1996.
package portfolio
