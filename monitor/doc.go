// Package monitor is the agent of one node: it makes the leader's orders come true
// through the node's hypervisor and reports what it sees.
//
// It decides nothing. What to do follows from orders and sights by package
// monitor/reconcile; how a VM is made, capped, saved and moved is the business of a
// [Hypervisor], implemented by monitor/libvirt; who leads is known to the [Link]. When
// the lease runs out, a separate process acts (monitor/fence): the agent writes the
// [Lease] down for it and stops acting itself.
//
// Invariants: orders are complete and never followed when older than the last taken; at
// most one action per run is under way; a run is started at most once in its life,
// and its memory image is used at most once; no call to the hypervisor or the store is made
// by the loop itself, so that one that hangs stops neither heartbeats nor other runs.
//
// Reference: C. Gray and D. Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for
// Distributed File Cache Consistency" (SOSP 1989), for what a lease promises.
package monitor
