package file

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Vacant refuses files that exist, unless force is given, and folders. It is called before anything is written. Pipes
// and devices are accepted, and an empty path is skipped.
func Vacant(force bool, paths ...string) error {
	for _, path := range paths {
		switch info, err := os.Stat(path); {
		case path == "" || errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("look for %s: %w", path, err)
		case info.IsDir():
			return fmt.Errorf("%s is a folder: name a file", path)
		case info.Mode().IsRegular() && !force:
			return fmt.Errorf("%s is there already; --force replaces it", path)
		}
	}
	return nil
}

// Write writes a file as a whole or not at all, so that readers never see half of it. A name that ends in .gz makes it
// gzip. Missing folders are made. A link is followed. A pipe or a device is written directly.
func Write(path string, write func(io.Writer) error) error { return put(path, 0o666, write) }

// put writes a file; a new one gets the mode less the umask.
func put(path string, mode fs.FileMode, write func(io.Writer) error) error {
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
	return replace(path, target, mode, write)
}

// destination follows the links of a path. A path without a file leads to itself.
func destination(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return target, err
}

// Writable returns the error that Write would return for a file in a folder that exists, and changes nothing. It
// accepts pipes and devices without a test.
func Writable(path string) error {
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

// writeThrough writes to a pipe, a device or a dangling link, which cannot be replaced.
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

// replace writes a file beside the target and renames it to the target.
func replace(path, target string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	partial := target + ".partial"
	_ = os.Remove(partial) // the rest of an interrupted writer may be open to others
	file, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
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

// zipped writes, through gzip if the path ends in .gz.
func zipped(w io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if !strings.HasSuffix(strings.ToLower(path), ".gz") {
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
