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

const (
	manifestFile = "manifest.json"
	partial      = ".partial"
)

// Source reads the named file of an image.
type Source func(file string) (io.ReadCloser, error)

// Receive stores the image in root/<digest>: it reads the files in the manifest's order
// from next, verifies each, and only then makes the folder appear. If it is there
// already nothing is read. Two that receive the same image do not disturb each other.
func Receive(root string, m Manifest, next Source) (folder string, err error) {
	if err := m.Check(); err != nil {
		return "", err
	}
	folder = filepath.Join(root, m.Digest())
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of images: %w", err)
	}
	work, err := os.MkdirTemp(root, m.Digest()+partial)
	if err != nil {
		return "", fmt.Errorf("make a folder for the image: %w", err)
	}
	defer os.RemoveAll(work)
	for _, f := range m.Files {
		if err := receive(work, f, next); err != nil {
			return "", fmt.Errorf("receive %s of image %s: %w", f.Name, m.Name, err)
		}
	}
	if err := write(filepath.Join(work, manifestFile), m.Canonical()); err != nil {
		return "", err
	}
	return folder, appear(work, folder)
}

// appear gives the finished folder its name; QEMU, which runs as another user, must be able to read it.
func appear(work, folder string) error {
	if err := os.Chmod(work, 0o755); err != nil {
		return fmt.Errorf("open the image to readers: %w", err)
	}
	err := os.Rename(work, folder)
	if _, there := os.Stat(folder); err != nil && there == nil {
		return nil // another one was faster
	}
	if err != nil {
		return fmt.Errorf("finish the image: %w", err)
	}
	return syncFolder(filepath.Dir(folder))
}

func receive(work string, f File, next Source) (err error) {
	from, err := next(f.Name)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(work, f.Name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, f.Size+1))
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); n != f.Size || got != f.SHA256 {
		return fmt.Errorf("its content does not match the manifest: %d bytes with SHA-256 %s, expected %d with %s", n, got, f.Size, f.SHA256)
	}
	return to.Sync()
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
	text, err := os.ReadFile(filepath.Join(root, digest, manifestFile))
	if err != nil {
		return Manifest{}, fmt.Errorf("open image %s: %w", digest, err)
	}
	m, err := ParseManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("open image %s: %w", digest, err)
	}
	if m.Digest() != digest {
		return Manifest{}, fmt.Errorf("image %s is damaged: its manifest has the digest %s; remove the folder", digest, m.Digest())
	}
	return m, nil
}

// Sweep removes what interrupted receptions left in root. Nobody may be receiving.
func Sweep(root string) error {
	left, err := filepath.Glob(filepath.Join(root, "*"+partial+"*"))
	for _, folder := range left {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// Describe makes the manifest of an image from its files' content, which it reads once.
func Describe(name, cmdline string, files Source) (Manifest, error) {
	m := Manifest{Name: name, Kind: Kind, Cmdline: cmdline}
	for _, file := range []string{Kernel, Initrd} {
		f, err := describe(file, files)
		if err != nil {
			return Manifest{}, fmt.Errorf("read %s of image %s: %w", file, name, err)
		}
		m.Files = append(m.Files, f)
	}
	return m, m.Check()
}

func describe(file string, files Source) (File, error) {
	from, err := files(file)
	if err != nil {
		return File{}, err
	}
	defer from.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(from, MaxFile+1))
	return File{file, n, hex.EncodeToString(sum.Sum(nil))}, err
}
