// Package model is a hypervisor whose VMs are modelled: nothing runs in them, and all that a monitor sees of them follows
// from what it has done to them and from the time that has passed.
//
// It stands behind the monitor's [monitor.Hypervisor] so that a thousand real monitors, with a real manager, fit into one
// process: for tests of the whole at that size, and for looking at the console without a cluster. It runs nobody's program,
// and nothing that can run for real chooses it. The processors are those of package monitor's words: a guest that wants
// them gets at most its cap, foreground before background, in proportion where the node is short. What a guest reports goes
// through the same files as a real one's.
//
// What a guest does is told by the task's command: "work SECONDS [CODE]" uses that much CPU time and exits, "serve PERCENT"
// uses a part of its vCPUs for ever, "sleep SECONDS" waits; of any other program it only says that it was not run. A task
// asks for faults by its environment, MODEL_FAULT, a list of "create", "save", "restore", "migrate" (these fail each time),
// "crash" (the VM's process dies once the guest has started) and "silent" (it powers off without reporting an exit).
//
// Invariants: the same calls at the same times give the same; a VM is on one node, besides the moment in which a migration
// hands it over, when it runs on neither; no goroutine but those of calls, and one timer per node.
//
// Reference: H. Casanova et al., "Versatile, Scalable, and Accurate Simulation of Distributed Applications and Platforms"
// (JPDC 2014), for fluid models of shared processors.
package model
