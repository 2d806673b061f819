// Package qcow2 reads disk images that strangers made, and writes new ones.
//
// It reads formats qcow2 and raw, and never guesses which of them a file has. A header with a feature that it does not
// know, or that names another file, is refused. It writes qcow2 of a single plain form, so that the same contents give
// the same bytes. No other program has to open what a stranger made.
//
// It has no part in running VMs: QEMU writes to what Overlay makes. CheckOverlay refuses the result if it names another
// file by now, before QEMU opens it again.
//
// Reference: QEMU's docs/interop/qcow2.txt.
package qcow2
