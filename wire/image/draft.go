package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"aliquot/wire/image/qcow2"
)

// Files of a folder that the manifest does not list.
const (
	manifestFile = "manifest.json"
	cmdlineFile  = "cmdline" // a copy of the manifest's, for programs that start VMs
	partial      = ".partial"
)

// Uploads are the files from which a disk is made. Their names say their format.
const (
	QCOW2 = "disk.qcow2"
	Raw   = "disk.raw"
)

// Draft is an image that is still being written. It is invisible before Finish.
type Draft struct {
	root, work string
	files      map[string]File
	upload     string // name of the file from which the disk is to be made; "": none
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
	return &Draft{root: root, work: work, files: map[string]File{}}, nil
}

// Discard removes the files of a draft that is not finished.
func (d *Draft) Discard() { os.RemoveAll(d.work) }

// Add writes the kernel, the initrd, or the one file from which Convert makes the disk, once, with at most MaxFile
// bytes.
func (d *Draft) Add(name string, from io.Reader) error {
	var err error
	switch name {
	case Kernel, Initrd:
		_, err = d.add(name, &bounded{from, MaxFile})
	case QCOW2, Raw:
		if d.upload != "" {
			return fmt.Errorf("an image has one disk, not %s and %s", d.upload, name)
		}
		d.upload = name
		_, err = d.write(name, &bounded{from, MaxFile})
	default:
		return fmt.Errorf("an image has no file %q, only %s and %s, or %s or %s", name, Kernel, Initrd, QCOW2, Raw)
	}
	if err != nil {
		return fmt.Errorf("write %s of an image: %w", name, err)
	}
	return nil
}

// HasUpload reports whether a file was added from which Convert makes the disk.
func (d *Draft) HasUpload() bool { return d.upload != "" }

// Convert makes the disk from the file of it that was added, if there is one. It calls take for the bytes of the disk
// before it writes them. It returns early when ctx ends.
func (d *Draft) Convert(ctx context.Context, take func(bytes int64) error) error {
	if !d.HasUpload() {
		return nil
	}
	path := filepath.Join(d.work, d.upload)
	from, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("convert the disk: %w", err)
	}
	defer from.Close()
	disk, err := plain(from, d.upload)
	if err != nil {
		return err
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(qcow2.Convert(ctx, claiming{w, take}, disk, MaxFile)) }()
	_, err = d.add(Disk, r)
	r.Close()
	return errors.Join(err, os.Remove(path))
}

// DiskSize returns the virtual size of the disk in an image's folder, in bytes. It refuses a disk that is not plain.
func DiskSize(folder string) (int64, error) {
	file, err := openRegular(filepath.Join(folder, Disk))
	if err != nil {
		return 0, fmt.Errorf("open the disk of an image: %w", err)
	}
	defer file.Close()
	disk, err := qcow2.Open(file)
	if err != nil {
		return 0, fmt.Errorf("read the disk of an image: %w", err)
	}
	return disk.Size(), nil
}

// plain opens a file as a disk of the format that its name says.
func plain(file *os.File, name string) (qcow2.Disk, error) {
	if name == QCOW2 {
		return qcow2.Open(file)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if begin := make([]byte, len(magicOfQCOW2)); info.Size() >= int64(len(begin)) {
		if _, err := file.ReadAt(begin, 0); err != nil {
			return nil, err
		}
		if string(begin) == magicOfQCOW2 {
			return nil, errors.New("the disk is not raw, it is in the format qcow2: say --qcow2, or name its file disk.qcow2")
		}
	}
	return qcow2.Raw(file, info.Size())
}

// magicOfQCOW2 is the begin of a file in that format. No machine boots from a raw disk that begins so.
const magicOfQCOW2 = "QFI\xfb"

// bounded is a reader of left bytes at most. More are an error, not the end.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("more than %d bytes", int64(MaxFile))
	}
	return n, err
}

// claiming writes what there is room for.
type claiming struct {
	to   io.Writer
	take func(bytes int64) error
}

func (c claiming) Write(p []byte) (int, error) {
	if err := c.take(int64(len(p))); err != nil {
		return 0, err
	}
	return c.to.Write(p)
}

// add writes a file of the image.
func (d *Draft) add(name string, from io.Reader) (File, error) {
	f, err := d.write(name, from)
	if err == nil {
		d.files[name] = f
	}
	return f, err
}

func (d *Draft) write(name string, from io.Reader) (_ File, err error) {
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
	return File{name, n, hex.EncodeToString(sum.Sum(nil))}, to.Sync()
}

// Finish names the image and moves it to root/<digest>, durably.
func (d *Draft) Finish(name, cmdline string) (Manifest, error) {
	m := Manifest{Name: name, Kind: KindKernel, Cmdline: cmdline}
	if _, ok := d.files[Disk]; ok {
		m.Kind = KindDisk
	}
	if len(d.files) > len(filesOf[m.Kind]) {
		return Manifest{}, fmt.Errorf("image %s has a kernel or an initrd beside its disk", name)
	}
	for _, file := range filesOf[m.Kind] {
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
