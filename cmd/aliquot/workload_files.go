package main

import (
	"bufio"
	"compress/gzip"
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
	target, err := destination(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if info, err := os.Lstat(target); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	return replace(path, target, write)
}

// destination is what a path leads to: itself where nothing is yet.
func destination(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return target, err
}

// writable says early whether writeFile could write a file, its folder being there, and leaves everything as it is. What
// pipes and devices take shows when they are written.
func writable(path string) error {
	target, err := destination(path)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(target); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil
	}
	probe, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, errors.Unwrap(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
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
