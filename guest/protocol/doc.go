// Package protocol is the language between a guest and its node: the task that goes in, and the streams of control,
// output and results that come out.
//
// The task is a JSON document in the fw_cfg entry [TaskEntry]. The streams are frames on three virtio-serial ports,
// [ControlPort], [OutputPort] and [ResultPort], which QEMU appends to one file each. A file lives as long as the run.
// It keeps growing after the guest was saved and restored or has moved to another node, so a reader may find an
// unfinished frame at its end at any time and must wait for the rest. The package does no input or output except
// through the readers and writers of its callers.
//
// On Xen, disks take the place of the entry and the ports. The document on [TaskDisk] is filled up with zeros.
// [ControlDisk], [OutputDisk] and [ResultDisk] hold the streams in blocks, which a [BlockWriter] appends and
// [CopyBlocks] reads:
//
//	magic (4) | length (4, little endian) | CRC-32C (4) | data, filled up with zeros to 4 KiB
//
// The checksum covers the number of the block, the length and the data.
//
// A frame is
//
//	magic (4) | kind (1) | length (4, little endian) | payload | CRC-32C (4)
//
// The checksum covers kind, length and payload. The length is limited per kind. Kinds of the ports are disjoint.
//
// The streams treat damage differently. Output resynchronizes at the next whole frame and counts the lost bytes:
// a hole in a log is better than no log. Control never does. It decides whether a run succeeded, and after damage a
// frame might start inside bytes that the task chose. Its decoder stays in error, so a damaged stream is never a
// success. A stream that just ends is no success either: only an [Exit] with code 0 is. Results are written once, after
// the command has ended and before Exit: for each file a frame with its size and path, then its parts; for each file
// left out the reason; and a last frame when all is sent. Nothing is read beyond the first damage.
//
// Trust: the guest's init is trusted. The task is not, although it may run as root. Linux lets a virtio-serial port
// be opened once at a time; init holds the ports, close-on-exec, from before the task starts until power-off. The
// task runs in namespaces of its own that hide init and the device nodes of ports and disks. It lacks the capabilities
// to make nodes, load code into the kernel, reach hardware or rebind the driver. The task's output is carried as
// payload and never interpreted.
//
// Reference: OASIS Virtual I/O Device (VIRTIO) 1.2, section 5.3, and QEMU's docs/specs/fw_cfg.
package protocol

// Version is the version of the streams, sent in [Hello]. A decoder refuses any other.
const Version = 1

const (
	// ControlPort is the virtio-serial name of the port that carries control frames.
	ControlPort = "org.aliquot.control"
	// OutputPort is the virtio-serial name of the port that carries output frames.
	OutputPort = "org.aliquot.output"
	// ResultPort is the virtio-serial name of the port that carries the files that a task leaves. Only a task with
	// outputs needs it.
	ResultPort = "org.aliquot.results"
	// TaskEntry is the fw_cfg name under which the guest finds its [Task].
	TaskEntry = "opt/org.aliquot/task"

	// TaskDisk is the name of the disk from which a guest on Xen reads its [Task].
	TaskDisk = "xvda"
	// ControlDisk is the name of the disk that carries control frames on Xen.
	ControlDisk = "xvdb"
	// OutputDisk is the name of the disk that carries output frames on Xen.
	OutputDisk = "xvdc"
	// ResultDisk is the name of the disk that carries results on Xen. Only a task with outputs has it.
	ResultDisk = "xvdd"
)
