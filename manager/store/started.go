package store

import (
	"fmt"
	"io/fs"
	"os"
)

// Started tells whether the replica has ever been opened in the directory, or restored there: then it is of a cluster. The
// Raft library makes a folder for a replica's snapshots as soon as it has noted who the members are.
func Started(dir string, replica uint64) bool {
	found, err := fs.Glob(os.DirFS(dir), fmt.Sprintf("*/*/snapshot-part-*/snapshot-%d-%d", shard, replica))
	return err == nil && len(found) > 0
}
