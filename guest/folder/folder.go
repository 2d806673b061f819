// Package folder says where the files of a run lie on the cluster's store.
//
// The path is the same on all nodes and on the managers: the guest writes its streams
// there from one node after another, monitors read and save there, managers serve its
// output from there. The package touches no file itself.
package folder

import (
	"path/filepath"
	"strconv"

	"aliquot/cluster"
)

// Folder is the folder of one run.
type Folder string

// Of is the folder of the run on the store at that path.
func Of(store string, run cluster.RunID) Folder {
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
