package store

import (
	"fmt"
	"io/fs"
	"os"
)

// Started reports whether the replica was ever opened or restored in the directory, and so belongs to a cluster. The
// Raft library creates a folder for a replica's snapshots as soon as it has recorded the members.
func Started(dir string, replica uint64) bool {
	found, err := fs.Glob(os.DirFS(dir), fmt.Sprintf("*/*/snapshot-part-*/snapshot-%d-%d", shard, replica))
	return err == nil && len(found) > 0
}
