// Package manager is the leader's loop and the services behind REST and the node links.
//
// Every manager holds a replica of the state and serves requests; one of them leads. The
// leader takes a view whenever the state has changed or time is due, asks package scheduler
// what to do, and proposes that. It supervises what is under way: leases, moves that take
// too long, limits of jobs. Everything that it knows is in the replicated state, so that a
// new leader carries on where the old one stopped; only usage samples and leases are kept
// in memory.
//
// The manager decides nothing itself (package policy) and never speaks to a hypervisor
// (package monitor).
package manager
