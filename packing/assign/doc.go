// Package assign chooses the node for each part of a packing, so that the least memory has to move.
//
// A packing is a partition of tasks into parts, one for each node. Nodes with the same capacity and
// the same allowed items can exchange their parts, and tasks of interchangeable items can exchange
// their places. No demand of the problem is affected, so the level of the packing is kept. The
// objective is the memory of tasks that stay on their node. Its maximum is an assignment problem, one
// for each class of interchangeable nodes.
//
// It is solved exactly by augmenting along shortest paths, over the pairs of part and node that have
// an item in common, within a budget of steps. When the budget is used up, the remaining parts take
// the best remaining nodes. The dual prices, which cover every pair at all times, then bound how much
// less any assignment could move.
//
// Invariants: the result moves no more than the input would; the partition of tasks is unchanged;
// pinned items stay on their nodes; the same arguments give the same result.
//
// Reference: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
// Quarterly 2 (1955); R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and
// sparse linear assignment problems", Computing 38 (1987).
package assign
