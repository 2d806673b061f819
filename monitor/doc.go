// Package monitor is the agent of one node. It carries out the leader's orders through the node's
// hypervisor and reports what it sees.
//
// It decides nothing. Package monitor/reconcile derives the actions from orders and observations. A
// [Hypervisor], implemented by monitor/libvirt, makes, caps, saves and moves VMs. The [Link] knows the
// leader. When the lease runs out, a separate process acts (monitor/fence): the agent writes the
// [Lease] for it and stops acting itself.
//
// Invariants: orders are complete, and orders older than the last ones taken are refused; at most one
// action per run is in progress; a run is started at most once, and its memory image is used at most
// once; the loop itself never calls the hypervisor or the store, so a call that hangs stops neither
// heartbeats nor other runs.
//
// Reference: C. Gray and D. Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for
// Distributed File Cache Consistency" (SOSP 1989), for what a lease promises.
package monitor
