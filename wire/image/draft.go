package image

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Files of a folder that the manifest does not list.
const (
	manifestFile = "manifest.json"
	cmdlineFile  = "cmdline" // a copy of the manifest's, for programs that start VMs
	partial      = ".partial"
)

// Draft is an image that is still being written. It is invisible before Finish.
type Draft struct {
	root, work string
	files      map[string]File
}

// NewDraft starts an image below root. The caller must call Discard in the end.
func NewDraft(root string) (*Draft, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of images: %w", err)
	}
	work, err := os.MkdirTemp(root, "draft"+partial)
	if err != nil {
		return nil, fmt.Errorf("make a folder for an image: %w", err)
	}
	return &Draft{root, work, map[string]File{}}, nil
}

// Discard removes the files of a draft that is not finished.
func (d *Draft) Discard() { os.RemoveAll(d.work) }

// Add writes the kernel or the initrd, once, with at most MaxFile bytes.
func (d *Draft) Add(name string, from io.Reader) error {
	if name != Kernel && name != Initrd {
		return fmt.Errorf("an image has no file %q, only %s and %s", name, Kernel, Initrd)
	}
	if _, err := d.add(name, io.LimitReader(from, MaxFile+1)); err != nil {
		return fmt.Errorf("write %s of an image: %w", name, err)
	}
	return nil
}

func (d *Draft) add(name string, from io.Reader) (_ File, err error) {
	to, err := os.OpenFile(filepath.Join(d.work, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return File{}, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), from)
	if err != nil {
		return File{}, err
	}
	d.files[name] = File{name, n, hex.EncodeToString(sum.Sum(nil))}
	return d.files[name], to.Sync()
}

// Finish names the image and moves it to root/<digest>, durably.
func (d *Draft) Finish(name, cmdline string) (Manifest, error) {
	m := Manifest{Name: name, Kind: Kind, Cmdline: cmdline}
	for _, file := range []string{Kernel, Initrd} {
		f, ok := d.files[file]
		if !ok {
			return Manifest{}, fmt.Errorf("image %s has no %s", name, file)
		}
		m.Files = append(m.Files, f)
	}
	if err := m.Check(); err != nil {
		return Manifest{}, err
	}
	if err := write(filepath.Join(d.work, cmdlineFile), []byte(cmdline+"\n")); err != nil {
		return Manifest{}, err
	}
	if err := write(filepath.Join(d.work, manifestFile), m.Canonical()); err != nil {
		return Manifest{}, err
	}
	return m, appear(d.work, filepath.Join(d.root, m.Digest()))
}

// appear renames the finished folder. QEMU, which runs as another user, must be able to read it.
func appear(work, folder string) error {
	if err := os.Chmod(work, 0o755); err != nil {
		return fmt.Errorf("open the image to readers: %w", err)
	}
	err := os.Rename(work, folder)
	if _, there := os.Stat(folder); err != nil && there == nil {
		return nil // it exists already, and the same digest means the same files
	}
	if err != nil {
		return fmt.Errorf("finish the image: %w", err)
	}
	return syncFolder(filepath.Dir(folder))
}

func write(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	return nil
}
