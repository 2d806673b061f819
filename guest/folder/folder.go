// Package folder names the files of a run on the cluster's store.
//
// The path is the same on all nodes and managers: the guest appends its streams there from one node
// after another, monitors read and save there, managers serve its output from there. The package
// touches no file itself.
package folder

import (
	"path/filepath"
	"strconv"

	"aliquot/cluster"
)

// Folder is the folder of one run.
type Folder string

// Of returns the folder of the run on the store mounted at the given path.
func Of(store string, run cluster.RunID) Folder {
	return Folder(filepath.Join(store, "runs", run.Job.String(), strconv.Itoa(run.Index), strconv.Itoa(run.Number)))
}

// Use returns the file with the use of an ended job over time, on the store mounted at the given path.
func Use(store string, job cluster.JobID) string {
	return filepath.Join(store, "runs", job.String(), "use")
}

// Task returns the file with the document that the guest reads as its task.
func (f Folder) Task() string { return filepath.Join(string(f), "task") }

// Control returns the file to which the guest appends its control stream.
func (f Folder) Control() string { return filepath.Join(string(f), "control") }

// Output returns the file to which the guest appends its output stream.
func (f Folder) Output() string { return filepath.Join(string(f), "output") }

// Results returns the file to which the guest appends the files that the task leaves.
func (f Folder) Results() string { return filepath.Join(string(f), "results") }

// Console returns the file to which the guest's kernel writes, for people.
func (f Folder) Console() string { return filepath.Join(string(f), "console") }

// Disk returns the disk of the run's VM, if its image is one. It shows the image's disk, and keeps what the guest
// writes. It belongs to the memory image: neither is of use with an earlier or later other one.
func (f Folder) Disk() string { return filepath.Join(string(f), "disk") }

// Seed returns the small disk from which the system of a disk image reads what to do.
func (f Folder) Seed() string { return filepath.Join(string(f), "seed") }

// TaskDisk returns the disk with the task of a VM on Xen, filled up to whole blocks.
func (f Folder) TaskDisk() string { return f.Task() + ".disk" }

// ControlDisk returns the disk to which a guest on Xen appends its control stream. The node copies it to Control.
func (f Folder) ControlDisk() string { return f.Control() + ".disk" }

// OutputDisk returns the same for the output stream.
func (f Folder) OutputDisk() string { return f.Output() + ".disk" }

// ResultDisk returns the same for the results. Only the run of a task with outputs has it.
func (f Folder) ResultDisk() string { return f.Results() + ".disk" }

// Expected returns the file in which the node that a VM on Xen moves to tells that its disks are attached there.
func (f Folder) Expected() string { return filepath.Join(string(f), "expected") }

// Saved returns the memory image of the run while it is paused.
func (f Folder) Saved() string { return filepath.Join(string(f), "memory") }

// Partial returns the memory image while it is being written.
func (f Folder) Partial() string { return f.Saved() + ".partial" }

// Used returns the memory image after a VM was restored from it. It must never be used again.
func (f Folder) Used() string { return f.Saved() + ".used" }
