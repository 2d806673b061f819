// Package wire is the link between a node and the leading manager, as the node sees it:
// the Client, which finds the leader, keeps the link up and knows the lease, and the
// translation between the cluster's types and the messages of wirepb, which the
// managers' side (package manager/link) shares.
//
// It decides nothing: Orders are handed on as they came, the newest alone; reports go out
// in the order in which they were given, and Send returns when they are durable.
//
// Invariants: what is translated there and back is the same; no message of the other
// side can make a decoder panic; a lease is counted from the moment at which the
// heartbeat that was answered was sent, so that it ends here before it ends there
// (Gray and Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed
// file cache consistency", SOSP 1989).
package wire
