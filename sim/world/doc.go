// Package world runs a whole control plane in one process under a virtual clock, and breaks it on purpose.
//
// The managers' loop, Apply, the links, the monitors, reconcile and the fences are the production code. Modelled are:
// Raft, as one ordered log with elections, delays, lost answers and replay after a crash; the network between machines;
// the machines' clocks; the hypervisors (package monitor/model) with their hangs and failures; the store and the
// nodes' disks, which are folders that can go missing, refuse writes or hang; the users; and a node that lies.
//
// A seed draws a cluster, a load and a plan of faults. A run has two phases: faults, in which nothing unsafe may
// happen, then calm, in which everything must converge within a stated time. The checks read the truth from the
// modelled hypervisors, the log and the guests' own files, not from the code under test. A failing seed prints the
// shortest plan of faults that still fails.
//
// The seed determines the plan and all delays, each of which is drawn by its name, so that no two events need to happen
// at the same virtual instant. The order of goroutines within one instant is the Go runtime's choice, so two runs of a
// seed can differ by milliseconds.
//
// It is made of tests; nothing is shipped. It does not test Raft itself (package manager/store does), gRPC and TLS
// (manager/link), or libvirt (the lab).
//
// Reference: J. Zhou et al., "FoundationDB: A Distributed Unbundled Transactional Key Value Store" (SIGMOD 2021), for
// simulation of the production code with faults by seed.
package world
