// Package link is the managers' side of the nodes' links. It identifies each node by its certificate,
// sends it changed orders, carries its reports to the leader, and keeps the leases.
//
// It decides nothing. The state interprets reports, and the leader acts on expired leases.
//
// Invariants: only a replica that has claimed its leadership welcomes nodes; all others redirect them.
// A heartbeat is answered only after a linearizable read that began after its arrival, so a leader
// without a majority renews nothing. A lease counts from that arrival, so it ends here after it ended
// on the node. A node reports only for itself, as its certificate identifies it. A new link of a node
// ends the previous one. Every queue has a limit.
//
// Leases: Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed
// file cache consistency" (SOSP 1989).
package link
