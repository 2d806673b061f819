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

// vacant refuses files that are there already, before anything is written. Pipes and devices have nothing to lose; no
// path, "", is no file.
func vacant(force bool, paths ...string) error {
	for _, path := range paths {
		switch info, err := os.Stat(path); {
		case path == "" || errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return usage{fmt.Errorf("look for %s: %w", path, err)}
		case info.IsDir():
			return usagef("%s is a folder: name a file", path)
		case info.Mode().IsRegular() && !force:
			return usagef("%s is there already; --force replaces it", path)
		}
	}
	return nil
}

// writeFile writes a file as a whole or not at all: readers never see half of it. A name
// that ends in .gz makes it gzip. Missing folders are made. A link stays one, and what it
// leads to is written; so is a pipe or device, as it comes.
func writeFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = path, nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if info, err := os.Lstat(target); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	return replace(path, target, write)
}

// writeThrough writes what cannot be replaced as a whole: a pipe, a device, a link to nothing.
func writeThrough(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if err := errors.Join(zipped(file, path, write), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// replace writes the file that a path leads to beside it, and then puts it in its place.
func replace(path, target string, write func(io.Writer) error) (err error) {
	partial := target + ".partial"
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
	return os.Rename(partial, target)
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
