package monitor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor/reconcile"
)

// ErrBegun is returned for a run that was started before and must not be started again.
var ErrBegun = errors.New("the run was started before")

// Prepare makes the folder of a new run, with the task for its guest, the given disks, and empty files for its streams.
// It returns ErrBegun if the run was prepared before.
func (f Folder) Prepare(task protocol.Task, disks ...Medium) error {
	document, err := protocol.EncodeTask(task)
	if err != nil {
		return err
	}
	return f.enclosed(func(root *os.Root) error { return f.prepare(root, document, disks) })
}

func (f Folder) prepare(root *os.Root, task []byte, disks []Medium) error {
	if _, err := root.Lstat(f.within(f.Control())); err == nil {
		return ErrBegun
	}
	// The manager removes the run's files when it runs in the monitor's group: the umask decides.
	if err := root.MkdirAll(f.within(string(f.Folder)), 0o775); err != nil {
		return fmt.Errorf("make the run's folder: %w", err)
	}
	// The task holds the job's environment. The hypervisor gives the file to the user of its VMs.
	if err := writeRegular(root, f.within(f.Task()), task, 0o600); err != nil {
		return fmt.Errorf("write the task: %w", err)
	}
	for _, d := range disks {
		if err := d.make(root, f, task); err != nil {
			return err
		}
	}
	// The control file comes last and marks the run as begun.
	for _, name := range []string{f.Console(), f.Output(), f.Results(), f.Control()} {
		file, err := root.OpenFile(f.within(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) && name != f.Control() {
			continue
		}
		if errors.Is(err, fs.ErrExist) {
			return ErrBegun
		}
		if err != nil {
			return fmt.Errorf("make the run's files: %w", err)
		}
		file.Close()
	}
	return nil
}

// Limits on what a guest may write to its ports. They are the host's: a guest's kernel is its user's, once broken.
const (
	maxControl   = 64 << 10 // bytes; the longest valid report has about 5 KiB
	maxConsole   = 64 << 20
	outputFactor = 32      // most bytes of a frame of output per byte of its payload
	outputRest   = 4 << 10 // bytes for one last frame, which reports the limit
)

// excess is the exit of a guest that wrote too much to a port.
func excess(port string, most cluster.Bytes) *cluster.Exit {
	return &cluster.Exit{Cause: fmt.Sprintf("the guest wrote more than %s to its %s", most.Words(), port)}
}

// emptyFile is the size of an empty file, as size returns it.
const emptyFile cluster.Bytes = 1

// written is how much a guest has written to its console, its output and its results. Files count at least emptyFile.
type written struct{ console, output, results cluster.Bytes }

func (f Folder) written() (w written, err error) {
	var err2, err3 error
	w.console, err = size(f.Console())
	w.output, err2 = size(f.Output())
	w.results, err3 = size(f.Results())
	if err := errors.Join(err, err2, err3); err != nil {
		return w, fmt.Errorf("measure the guest's output: %w", err)
	}
	return w, nil
}

// excess returns the exit of a guest that wrote more than a task with the limits may, or nil.
func (w written) excess(limits cluster.Limits) *cluster.Exit {
	task := protocol.Task{LogBytes: int64(limits.LogBytes), ResultBytes: int64(limits.ResultBytes)}
	most, results := outputFactor*cluster.Bytes(task.OutputLimit())+outputRest, emptyFile
	if limits.ResultBytes != cluster.NoResults {
		results = cluster.Bytes(protocol.MaxResultStream(task.ResultLimit()))
	}
	switch {
	case w.console > maxConsole:
		return excess("console", maxConsole)
	case w.output > most:
		return excess("output port", most)
	case w.results > results && limits.ResultBytes == cluster.NoResults:
		return &cluster.Exit{Cause: "the guest wrote to its port of results, but its job names no outputs"}
	case w.results > results:
		return excess("port of results", results)
	}
	return nil
}

// Read returns the guest's report so far.
func (f Folder) Read() (reconcile.Guest, error) {
	file, err := f.open(f.Control())
	if errors.Is(err, fs.ErrNotExist) {
		return reconcile.Guest{}, nil
	}
	if err != nil {
		return reconcile.Guest{}, fmt.Errorf("read the guest's report: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxControl+1))
	if err != nil { // a store that fails to answer is no damage
		return reconcile.Guest{}, fmt.Errorf("read the guest's report: %w", err)
	}
	guest := reconcile.Guest{Begun: true}
	if len(content) > maxControl {
		guest.Exit = excess("control port", maxControl)
		return guest, nil
	}
	messages, damage := new(protocol.ControlDecoder).Feed(content)
	for _, m := range messages {
		switch m := m.(type) {
		case protocol.Started:
			guest.Started = true
		case protocol.Exit:
			guest.Exit = &cluster.Exit{Code: m.Code, Signal: m.Signal}
		case protocol.Error:
			guest.Exit = &cluster.Exit{Cause: "the guest could not run the task: " + m.Text}
		}
	}
	if damage != nil {
		guest.Exit = &cluster.Exit{Cause: damage.Error()}
	}
	return guest, nil
}
