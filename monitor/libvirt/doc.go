// Package libvirt runs VMs through libvirt: it implements monitor.Hypervisor.
//
// It is the only importer of libvirt's bindings. It hides the differences between QEMU's accelerators
// and between cgroup v1 and v2: the rest of the program knows only millicores, tiers and the states of
// package reconcile. It decides nothing: it lists, measures and follows orders. VMs of others are
// counted and never touched.
//
// Invariants: every VM has an explicit UUID, a CPU quota from its first instruction on, a versioned
// machine type and a named CPU model; it is created and restored paused; caps are put in force again
// after every restore and migration, because not every hypervisor keeps them. No call outlasts its
// context.
//
// Reference: libvirt's domain XML, https://libvirt.org/formatdomain.html, and the kernel's
// Documentation/admin-guide/cgroup-v1/ and cgroup-v2.rst for the CPU controller.
package libvirt
