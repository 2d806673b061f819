package monitor

import (
	"aliquot/cluster"
	"aliquot/guest/folder"
)

// Folder is where the files of one run lie on the store, and what a node does with them.
// They outlive the VM, which may write to them from one node after another.
type Folder struct{ folder.Folder }

// RunFolder is the folder of a run on the store at the path.
func RunFolder(store string, run cluster.RunID) Folder { return Folder{folder.Of(store, run)} }
