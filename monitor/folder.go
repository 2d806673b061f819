package monitor

import (
	"aliquot/cluster"
	"aliquot/guest/folder"
)

// Folder holds the files of one run on the store. They outlive the VM, which may write to them from
// one node after another.
type Folder struct {
	folder.Folder
	store string // "": the folder is not on the store
}

// RunFolder returns the folder of a run on the store at the given path.
func RunFolder(store string, run cluster.RunID) Folder { return Folder{folder.Of(store, run), store} }

// FolderAt returns the folder of a run at a path on the store.
func FolderAt(store, path string) Folder { return Folder{folder.Folder(path), store} }
