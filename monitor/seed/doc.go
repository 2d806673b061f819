// Package seed writes the small disk by which the system in a disk image learns what to do.
//
// It is a data source of cloud-init, of the kind NoCloud, that holds the task, the agent that runs it, and the script
// that starts the agent. So an image needs cloud-init, but nothing of ours, and no network.
//
// Reference: https://cloudinit.readthedocs.io/en/latest/reference/datasources/nocloud.html.
package seed
