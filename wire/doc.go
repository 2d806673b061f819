// Package wire is the link between a node and the leading manager, seen from the node. The Client
// finds the leader, keeps the link up and knows the lease. The package also translates between the
// cluster's types and the messages of wirepb; the managers' side (package manager/link) shares that
// part.
//
// It decides nothing. Orders are passed on as they came, only the newest; reports are sent in the
// order in which they were given, and Report returns when its report is durable.
//
// Invariants: a value that is translated there and back is the same; no message of the other side can
// make a decoder panic; a lease is counted from the moment at which the answered heartbeat was sent,
// so it ends here before it ends there (Gray and Cheriton, "Leases: an efficient fault-tolerant
// mechanism for distributed file cache consistency", SOSP 1989).
package wire
