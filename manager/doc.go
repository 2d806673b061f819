// Package manager is the leader's loop and the services behind REST and the node links.
//
// Every manager holds a replica of the state and serves requests; one of them leads. The leader takes a
// view when the state has changed or an alarm is due, asks package scheduler for the next action, and
// proposes it. It supervises leases, moves that take too long, and limits of jobs. Its knowledge is in
// the replicated state, so a new leader carries on where the old one stopped. Only usage samples and
// leases are kept in memory.
//
// The manager itself decides nothing (see package policy) and never calls a hypervisor (see package
// monitor).
package manager
