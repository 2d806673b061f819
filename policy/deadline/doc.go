// Package deadline admits jobs that have to be done by a deadline, and keeps them on shares of nodes that change.
//
// A job is admitted if, by the rule below, it and all that were admitted before it end in time. Until a job is ready
// nothing is kept free for it. Each task of a job that has started has at least a quarter of a node, its floor. The
// rest goes to the jobs in the order of their deadlines, in quarters, to each as much as its tasks can use. A job
// starts as soon as its floor fits. The order is static and all times and amounts are integers, so the rule gives the
// same however often it is asked in between.
//
// The plan is the rule, simulated. It is kept as the list of coming events. A job changes it from its ready time on,
// until the runs are again as they were without it; only that part is simulated. Work that ends early, moves that cost
// less than planned, and nodes that come back add to the plan. The gain is used only if the plan then still keeps all
// deadlines.
//
// Two dials bound what is admitted. The price refuses jobs that would take much of a busy time: it trades work for the
// number of jobs. A part of the nodes can be withheld from the plan, though not from the jobs, to pay for moves.
//
// The plan counts nodes, all alike, and not which they are; in quarters they can always be packed. A task takes a node
// of its own at full level. A job that cannot share nodes, because of its memory or because it is to be spread, is
// rigid: its floor is the whole node. A job that has used up its time and is not done is cut. One that cannot be in
// time any more, because nodes were lost, comes after all others.
//
// Invariant: a plan's levels fit on its nodes at each step.
//
// Reference: docs/policies/reserve.md. The price is that of online admission with exponential prices: B. Awerbuch, Y.
// Azar, S. Plotkin, "Throughput-Competitive On-Line Routing" (1993).
package deadline
