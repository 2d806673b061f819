package monitor

import (
	"path/filepath"
	"strconv"

	"aliquot/cluster"
)

// Folder is where the files of one run lie on the store, the same on all nodes. Its files
// outlive the VM, which may write to them from one node after another.
type Folder string

// RunFolder is the folder of a run on the store at the path.
func RunFolder(store string, run cluster.RunID) Folder {
	return Folder(filepath.Join(store, "runs", run.Job.String(), strconv.Itoa(run.Index), strconv.Itoa(run.Number)))
}

// Task is the file with the document that the guest reads as its task.
func (f Folder) Task() string { return filepath.Join(string(f), "task") }

// Control is the file to which the guest appends its control stream.
func (f Folder) Control() string { return filepath.Join(string(f), "control") }

// Output is the file to which the guest appends its output stream.
func (f Folder) Output() string { return filepath.Join(string(f), "output") }

// Console is the file to which the guest's kernel writes, for people.
func (f Folder) Console() string { return filepath.Join(string(f), "console") }

// Saved is the memory image of the run while it is paused.
func (f Folder) Saved() string { return filepath.Join(string(f), "memory") }

// Partial is the memory image while it is being written.
func (f Folder) Partial() string { return f.Saved() + ".partial" }

// Used is the memory image after a VM was made from it: it must never be used again.
func (f Folder) Used() string { return f.Saved() + ".used" }
