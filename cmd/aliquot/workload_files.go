package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// vacant refuses files that are there already, before anything is written.
func vacant(force bool, paths ...string) error {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && !force {
			return usagef("%s is there already; --force replaces it", path)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usage{fmt.Errorf("look for %s: %w", path, err)}
		}
	}
	return nil
}

// writeFile writes a file as a whole or not at all: readers never see half of it. A name
// that ends in .gz makes it gzip. Missing folders are made.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	partial := path + ".partial"
	file, err := os.Create(partial)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(partial)
		}
	}()
	if err := zipped(file, path, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(partial, path)
}

func zipped(w io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if !endsIn(path, ".gz") {
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	z := gzip.NewWriter(b)
	if err := write(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return b.Flush()
}

var errStopped = errors.New("stopped before the end")

// stoppable is a writer that takes no more once the user has said stop.
type stoppable struct {
	ctx context.Context
	to  io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, errStopped
	}
	return s.to.Write(p)
}

// metered shows how much of a file is read, and ends when the user says stop.
type metered struct {
	io.Reader
	ctx        context.Context
	path       string
	size, read int64
	progress   *progress
}

func (m *metered) Read(p []byte) (int, error) {
	if m.ctx.Err() != nil {
		return 0, errStopped
	}
	n, err := m.Reader.Read(p)
	m.read += int64(n)
	m.progress.percent("read "+m.path, m.read, m.size)
	return n, err
}
