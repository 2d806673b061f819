// Package model is a hypervisor with modelled VMs. Nothing runs in them. Everything that a monitor sees of them follows
// from its own calls and from the time that has passed.
//
// It implements [monitor.Hypervisor], so that a thousand real monitors and a real manager fit into one process. That
// serves tests at full size and trying the console without a cluster. It runs no program, and nothing selects it for
// production use. A guest that wants CPU gets at most its cap, foreground before background, in proportion where the
// node is short. Guests report through the same files as real ones.
//
// The task's command sets the guest's behaviour: "work SECONDS [CODE]" uses that much CPU time and exits, "serve
// PERCENT" uses a part of its vCPUs forever, "sleep SECONDS" waits; for any other program the guest prints that it was
// not run. A task requests faults in its environment variable MODEL_FAULT, a list of "create", "save", "restore",
// "migrate" (these fail each time), "crash" (the VM's process dies once the guest has started) and "silent" (the VM
// powers off without reporting an exit).
//
// Invariants: the same calls at the same times give the same results; a VM is on one node, except during a migration's
// hand-over, when it runs on neither; there are no goroutines besides callers, and one timer per node.
//
// Reference: H. Casanova et al., "Versatile, Scalable, and Accurate Simulation of Distributed Applications and
// Platforms" (JPDC 2014), for fluid models of shared processors.
package model
