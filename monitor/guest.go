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

// Prepare makes the folder of a new run, with the task for its guest and empty files for its streams.
// It returns ErrBegun if the run was prepared before.
func (f Folder) Prepare(task protocol.Task) error {
	document, err := protocol.EncodeTask(task)
	if err != nil {
		return err
	}
	return f.enclosed(func(root *os.Root) error { return f.prepare(root, document) })
}

func (f Folder) prepare(root *os.Root, task []byte) error {
	// The manager removes the run's files when it runs in the monitor's group: the umask decides.
	if err := root.MkdirAll(f.within(string(f.Folder)), 0o775); err != nil {
		return fmt.Errorf("make the run's folder: %w", err)
	}
	if err := writeRegular(root, f.within(f.Task()), task, 0o644); err != nil {
		return fmt.Errorf("write the task: %w", err)
	}
	// The control file comes last and marks the run as begun.
	for _, name := range []string{f.Console(), f.Output(), f.Control()} {
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
	content, err := io.ReadAll(file)
	if err != nil { // a store that fails to answer is no damage
		return reconcile.Guest{}, fmt.Errorf("read the guest's report: %w", err)
	}
	guest := reconcile.Guest{Begun: true}
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
