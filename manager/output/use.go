package output

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"aliquot/cluster"
	"aliquot/guest/folder"
)

// maxUse bounds the kept use of one job in bytes.
const maxUse = 16 << 20

// KeepUse keeps the use of an ended job beside its output, as long as that. A use that is kept already stays, and none
// is kept of a job without output.
func (s *Store) KeepUse(ctx context.Context, job cluster.JobID, text []byte) error {
	return s.do(ctx, func([]byte) error {
		err := writeNew(s.root, folder.Use("", job), text)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// writeNew writes a file below the root as a whole, unless it is there.
func writeNew(root, name string, text []byte) error {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := dir.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	partial := name + ".partial"
	if err := dir.WriteFile(partial, text, 0o640); err != nil {
		return errors.Join(err, dir.RemoveAll(partial))
	}
	return dir.Rename(partial, name)
}

// Use returns the kept use of an ended job. The error wraps fs.ErrNotExist if there is none.
func (s *Store) Use(ctx context.Context, job cluster.JobID) ([]byte, error) {
	read := make(chan []byte, 1)
	err := s.do(ctx, func([]byte) error {
		f, err := s.open(folder.Use("", job))
		if err != nil {
			return err
		}
		defer f.Close()
		text, err := io.ReadAll(io.NewSectionReader(f, 0, maxUse))
		read <- text
		return err
	})
	if err != nil {
		return nil, err
	}
	return <-read, nil
}
