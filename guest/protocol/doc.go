// Package protocol is the language between a guest and its node: the task that
// goes in, and the control and output streams that come out.
//
// The task is a JSON document in the fw_cfg entry [TaskEntry]. The streams are
// frames on two virtio-serial ports, [ControlPort] and [OutputPort], which QEMU
// appends to one file each. A file lives as long as the run: it goes on growing
// after the guest was saved and restored or has moved to another node, so a
// reader may meet an unfinished frame at its end at any time and waits for the
// rest. The package does no input or output of its own beyond the readers and
// writers it is handed.
//
// A frame is
//
//	magic (4) | kind (1) | length (4, little endian) | payload | CRC-32C (4)
//
// with the checksum over kind, length and payload, and the length limited per
// kind. Kinds of the two ports are disjoint.
//
// The two streams differ in what damage means. Output resynchronises at the next
// whole frame and counts the lost bytes: a hole in a log is better than no log.
// Control never does: it decides whether a run succeeded, and after damage a
// frame might start inside bytes that the task chose. Its decoder stays in error,
// and so a damaged stream is never a success. Nor is a stream that just ends:
// only an [Exit] with code 0 is.
//
// Trust. The guest's init is trusted, the task is not, though it may run as root.
// Linux lets a virtio-serial port be opened once at a time; init holds both ports
// from before the task starts until power-off, close-on-exec. The task
// runs in namespaces of its own, where neither the ports' device nodes nor init
// can be seen, and without the capabilities to make nodes, load code into the
// kernel, reach hardware or rebind the driver. What a task prints is carried as
// payload, whatever it looks like.
//
// Reference: OASIS Virtual I/O Device (VIRTIO) 1.2, section 5.3, and QEMU's
// docs/specs/fw_cfg.
package protocol

// Version is the version of the streams, sent in [Hello]. A decoder refuses any other.
const Version = 1

const (
	// ControlPort is the virtio-serial name of the port that carries control frames.
	ControlPort = "org.aliquot.control"
	// OutputPort is the virtio-serial name of the port that carries output frames.
	OutputPort = "org.aliquot.output"
	// TaskEntry is the fw_cfg name under which the guest finds its [Task].
	TaskEntry = "opt/org.aliquot/task"
)
