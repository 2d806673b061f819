// Package stream is the protocol of streams into a VM: a connection to a port of the guest, or a command that is run
// beside its task. It does not carry them through managers and monitors, and does not decide who may open one.
//
// The guest's init or agent serves a virtio-serial port. A node greets it, and both then speak yamux over the port, so
// that one port carries several streams with flow control. Each stream is a sequence of frames: first [Open] from the
// outside and [Opened] from the guest, then data both ways, last [Exit] from the guest.
//
// Invariants: a frame has at most [MaxFrame] bytes. Managers and nodes pass on the frames of a guest without reading
// them; only clients do.
//
// Reference: the protocol of multiplexing at github.com/hashicorp/yamux.
package stream
