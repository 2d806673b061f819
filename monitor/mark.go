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

// markPrefix begins the name of an empty file below the node's data folder, which ends in the cluster's id. Being a name,
// it can be read where files are damaged: the fence touches no other cluster's VMs even then.
const markPrefix = "cluster-"

// mark replaces what says whose the node is. It survives a loss of power once the folder is flushed.
func mark(data string, of [16]byte) error {
	mine := filepath.Join(data, markPrefix+hex.EncodeToString(of[:]))
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		return fmt.Errorf("note whose the node is: %w", err)
	}
	marks, err := filepath.Glob(filepath.Join(data, markPrefix+"*"))
	for _, other := range marks {
		if other != mine {
			err = errors.Join(err, os.Remove(other))
		}
	}
	if err != nil {
		return fmt.Errorf("forget whose the node was: %w", err)
	}
	return nil
}

// ReadMark tells which cluster the node belongs to; fs.ErrNotExist means that it has never been given a lease.
func ReadMark(data string) (of [16]byte, err error) {
	entries, err := os.ReadDir(data)
	if err != nil {
		return of, fmt.Errorf("find out whose the node is: %w", err)
	}
	for _, e := range entries {
		id, found := strings.CutPrefix(e.Name(), markPrefix)
		if raw, err := hex.DecodeString(id); found && err == nil && len(raw) == len(of) {
			return [16]byte(raw), nil
		}
	}
	return of, fmt.Errorf("find out whose the node is: no file %s* below %s: %w", markPrefix, data, fs.ErrNotExist)
}
