// Package link is the managers' side of the nodes' links: it knows each node by its
// certificate, hands orders to it when they change, carries its reports to the leader, and
// keeps the leases.
//
// It decides nothing: what a report means is the state's business, what to do about a
// lease that has run out is the leader's.
//
// Invariants: only a replica that has claimed its leadership welcomes nodes, all others
// send them on. A heartbeat is answered only after a linearizable read that began after it
// had arrived, so that a leader that has lost its majority renews nothing; and a lease is
// counted from the arrival, so that it ends here after it ended on the node. A node speaks
// for itself alone: the link's certificate says who reports. A new link of a node ends the
// one before. Everything that can pile up has a limit.
//
// Leases: Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed
// file cache consistency" (SOSP 1989).
package link
