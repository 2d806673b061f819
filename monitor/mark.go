package monitor

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// markPrefix begins the name of an empty file in the node's data folder. The name ends in the cluster's ID. A name can
// be read even where file contents are damaged, so the fence never touches another cluster's VMs.
const markPrefix = "cluster-"

// mark records in a file name to which cluster the node belongs. It survives a power failure once the folder is
// flushed.
func mark(data string, of [16]byte) error {
	mine := filepath.Join(data, markPrefix+hex.EncodeToString(of[:]))
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		return fmt.Errorf("mark the node's cluster: %w", err)
	}
	marks, err := filepath.Glob(filepath.Join(data, markPrefix+"*"))
	for _, other := range marks {
		if other != mine {
			err = errors.Join(err, os.Remove(other))
		}
	}
	if err != nil {
		return fmt.Errorf("remove the mark of another cluster: %w", err)
	}
	return nil
}

// ReadMark returns the cluster to which the node belongs. fs.ErrNotExist means that it never had a lease.
func ReadMark(data string) (of [16]byte, err error) {
	entries, err := os.ReadDir(data)
	if err != nil {
		return of, fmt.Errorf("find the node's cluster: %w", err)
	}
	for _, e := range entries {
		id, found := strings.CutPrefix(e.Name(), markPrefix)
		if raw, err := hex.DecodeString(id); found && err == nil && len(raw) == len(of) {
			return [16]byte(raw), nil
		}
	}
	return of, fmt.Errorf("find the node's cluster: no file %s* in %s: %w", markPrefix, data, fs.ErrNotExist)
}
