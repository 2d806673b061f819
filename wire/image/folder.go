package image

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Source reads the named file of an image.
type Source func(file string) (io.ReadCloser, error)

// Receive stores the image in root/<digest>: it reads the files in the manifest's order from next,
// verifies each, and only then renames the folder. If the folder exists, Receive reads nothing. Two
// calls for the same image do not disturb each other.
func Receive(root string, m Manifest, next Source) (folder string, err error) {
	if err := m.Check(); err != nil {
		return "", err
	}
	folder = filepath.Join(root, m.Digest())
	if _, err := Open(root, m.Digest()); err == nil {
		return folder, nil
	}
	if err := remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) { // without a manifest it is no image
		return "", fmt.Errorf("remove what is left of an image: %w", err)
	}
	d, err := NewDraft(root)
	if err != nil {
		return "", err
	}
	defer d.Discard()
	for _, want := range m.Files {
		if err := d.receive(want, next); err != nil {
			return "", fmt.Errorf("receive %s of image %s: %w", want.Name, m.Name, err)
		}
	}
	_, err = d.Finish(m.Name, m.Cmdline)
	return folder, err
}

func (d *Draft) receive(want File, next Source) error {
	from, err := next(want.Name)
	if err != nil {
		return err
	}
	defer from.Close()
	got, err := d.add(want.Name, io.LimitReader(from, want.Size+1))
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: %d bytes with SHA-256 %s, expected %d with %s", errDiffers, got.Size, got.SHA256, want.Size,
			want.SHA256)
	}
	return nil
}

func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("make the image durable: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open returns the manifest of the image in root/<digest>. The error wraps
// fs.ErrNotExist if there is none.
func Open(root, digest string) (Manifest, error) {
	if err := CheckDigest(digest); err != nil {
		return Manifest{}, err
	}
	text, err := readManifest(filepath.Join(root, digest, manifestFile))
	if err != nil {
		return Manifest{}, fmt.Errorf("open image %s: %w", digest, err)
	}
	m, err := ParseManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("open image %s: %w", digest, err)
	}
	if m.Digest() != digest {
		return Manifest{}, fmt.Errorf("image %s is damaged: its manifest has the digest %s; remove the folder",
			digest, m.Digest())
	}
	return m, nil
}

// readManifest reads a manifest, but not much more than the longest one, from a folder that others can write to.
func readManifest(path string) ([]byte, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxManifest+1))
}

// Sweep removes the remains of interrupted receptions in root. No reception may be under way.
func Sweep(root string) error {
	left, err := filepath.Glob(filepath.Join(root, "*"+partial+"*"))
	for _, folder := range left {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}
