package monitor

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Every node can write to the store, and guests write to it through QEMU. This monitor is root. So it opens files there
// only if they are regular, without waiting for the other end of a pipe, and follows no link that leads out of the
// store.

// enclosed runs an operation on the folder at the path, which links cannot lead out of.
func enclosed(path string, do func(*os.Root) error) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	return do(root)
}

// openRegular opens a file if it is a regular one.
func openRegular(root *os.Root, name string, flag int, mode fs.FileMode) (*os.File, error) {
	file, err := root.OpenFile(name, flag|unix.O_NONBLOCK, mode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a %v, not a regular file", name, info.Mode().Type())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// writeRegular replaces the content of a file, and makes the file if necessary.
func writeRegular(root *os.Root, name string, content []byte, mode fs.FileMode) error {
	file, err := openRegular(root, name, os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(0); err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.Close()
}

// open opens one of the run's files for reading.
func (f Folder) open(path string) (file *os.File, err error) {
	err = f.enclosed(func(root *os.Root) error {
		file, err = openRegular(root, f.within(path), os.O_RDONLY, 0)
		return err
	})
	return file, err
}

// enclosed runs an operation on the store of the folder.
func (f Folder) enclosed(do func(*os.Root) error) error { return enclosed(f.Root(), do) }

// Root returns the folder that links cannot lead out of: the store, or else the folder itself.
func (f Folder) Root() string { return cmp.Or(f.store, string(f.Folder)) }

// within returns the path below the store of one of the run's files.
func (f Folder) within(path string) string {
	name, err := filepath.Rel(f.Root(), path)
	if err != nil {
		return path // os.Root refuses it
	}
	return name
}
