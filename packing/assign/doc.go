// Package assign chooses which node takes which part of a packing, so that the least memory has to be moved.
//
// A packing is a partition of tasks into parts, one for each node. Nodes that nothing tells apart, neither capacity
// nor the items that they may take, can exchange their parts, and tasks of items that nothing tells apart can
// exchange their places: no demand of the problem notices, so that the level that was reached is kept. What stays is
// the sum over nodes of the memory of tasks that were there before and are again; the most of it is an assignment
// problem, one for each class of such nodes.
//
// It is solved exactly by augmenting along shortest paths, on the pairs of part and node that have an item in
// common; in time that a budget of steps bounds. When that is used up, the parts left take the best nodes left, and
// the dual prices, which cover every pair at all times, tell how much less any assignment could move.
//
// Invariants: what comes out moves no more than what went in; tasks stay partitioned as they were; items that are
// pinned stay on their nodes; the same arguments give the same result.
//
// Reference: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2
// (1955); R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
// problems", Computing 38 (1987).
package assign
