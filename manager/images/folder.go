package images

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/wire/image"
)

// Limit is the default for the size of all images together.
const Limit cluster.Bytes = 64 << 30

// maxCmdline is more than the manifest allows, so that the manifest's check reports the error.
const maxCmdline = 4 << 10

// Folder stores images. It is safe for concurrent use: images are written side by side, and a slow one delays no other.
type Folder struct {
	root string
	room room
	mu   sync.Mutex // held while images appear or disappear

	converting chan struct{} // full while a disk is converted
}

// File is one file for Put: kernel, initrd or cmdline, or disk.qcow2 or disk.raw. Its content is read before the next
// file is requested.
type File struct {
	Name    string
	Size    int64 // bytes, as announced; negative: unknown
	Content io.Reader
}

// Open opens the folder, creates it if it is missing, and removes the remains of an interrupted Put.
func Open(root string, limit cluster.Bytes) (*Folder, error) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of images: %w", err)
	}
	if err := image.Sweep(root); err != nil {
		return nil, fmt.Errorf("tidy the folder of images: %w", err)
	}
	f := &Folder{root: root, room: room{limit: limit}, converting: make(chan struct{}, 1)}
	return f, f.count(0)
}

// Put stores an image from its files, each at most once and in any order; cmdline is optional. An
// error of the sequence is returned unchanged and leaves nothing behind. The conversion of a disk ends early with ctx.
func (f *Folder) Put(ctx context.Context, name string, files iter.Seq2[File, error]) (cluster.Image, error) {
	claim := claim{room: &f.room}
	if err := claim.take(0); err != nil {
		return cluster.Image{}, err
	}
	draft, err := image.NewDraft(f.root)
	if err != nil {
		return cluster.Image{}, err
	}
	cmdline, err := fill(draft, files, &claim)
	if err == nil {
		err = f.convert(ctx, draft, &claim)
	}
	var m image.Manifest
	if err == nil {
		m, err = f.finish(draft, name, cmdline)
	}
	draft.Discard()
	if err := cmp.Or(err, f.count(claim.bytes)); err != nil {
		return cluster.Image{}, err
	}
	return f.describe(m)
}

// finish makes the draft an image. Meanwhile none is removed, above all not the same one.
func (f *Folder) finish(draft *image.Draft, name, cmdline string) (image.Manifest, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, err := draft.Finish(name, cmdline)
	if err != nil {
		return m, &cluster.Rejection{Code: cluster.CodeInvalid, Field: "image", Detail: err.Error()}
	}
	return m, f.touch(m.Digest())
}

// touch makes an image count as stored just now.
func (f *Folder) touch(digest string) error {
	now := time.Now()
	return os.Chtimes(filepath.Join(f.root, digest), now, now)
}

// Copy stores the image of that digest and size by a fetch into the folder of images, unless it is there.
func (f *Folder) Copy(digest string, size cluster.Bytes, fetch func(root string) error) error {
	if _, err := f.Open(digest); err == nil {
		return nil
	}
	claim := claim{room: &f.room}
	if err := claim.take(size); err != nil {
		return err
	}
	err := fetch(f.root)
	return cmp.Or(err, f.count(claim.bytes))
}

// Stored returns the time since which the image has been there, or was last put.
func (f *Folder) Stored(digest string) (time.Time, error) {
	info, err := os.Stat(filepath.Join(f.root, digest))
	if err != nil {
		return time.Time{}, fmt.Errorf("look at image %s: %w", digest, err)
	}
	return info.ModTime(), nil
}

// Describe returns the image of that digest as the state knows it.
func (f *Folder) Describe(digest string) (cluster.Image, error) {
	m, err := f.Open(digest)
	if err != nil {
		return cluster.Image{}, err
	}
	return f.describe(m)
}

// describe returns the image as the state knows it, with the size of its disk.
func (f *Folder) describe(m image.Manifest) (cluster.Image, error) {
	i := cluster.Image{Name: m.Name, Digest: m.Digest(), Kind: m.Kind, Size: cluster.Bytes(m.Size()), Cmdline: m.Cmdline}
	if m.Kind == image.KindKernel {
		least, err := image.LeastMemory(filepath.Join(f.root, i.Digest))
		i.Least = cluster.Bytes(least)
		return i, err
	}
	size, err := image.DiskSize(filepath.Join(f.root, i.Digest))
	i.Disk = cluster.Bytes(size)
	return i, err
}

// fill reads the files into the draft, as far as there is room for them.
func fill(draft *image.Draft, files iter.Seq2[File, error], claim *claim) (cmdline string, err error) {
	for file, err := range files {
		if err != nil {
			return "", err
		}
		if file.Name == "cmdline" {
			if cmdline, err = line(file.Content); err != nil {
				return "", err
			}
			continue
		}
		if err := claim.fits(cluster.Bytes(file.Size)); err != nil {
			return "", err
		}
		if err := draft.Add(file.Name, claimant{file.Content, claim}); err != nil {
			return "", err
		}
	}
	return cmdline, nil
}

// convert makes the disk of an image that has one. A hostile disk takes time and memory, so disks wait for each other.
func (f *Folder) convert(ctx context.Context, draft *image.Draft, claim *claim) error {
	if !draft.HasUpload() {
		return nil
	}
	select {
	case f.converting <- struct{}{}:
		defer func() { <-f.converting }()
	case <-ctx.Done():
		return ctx.Err()
	}
	err := draft.Convert(ctx, func(bytes int64) error { return claim.take(cluster.Bytes(bytes)) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[*cluster.Rejection](err); ok {
		return refused
	}
	if err != nil {
		return &cluster.Rejection{Code: cluster.CodeInvalid, Field: "image", Detail: err.Error()}
	}
	return nil
}

func line(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxCmdline))
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

// PutFolder stores the image whose files kernel, initrd and cmdline are in a folder, such as the
// built-in one.
func (f *Folder) PutFolder(name, folder string) (cluster.Image, error) {
	i, err := f.Put(context.Background(), name, lying(folder)) // it has no disk
	if err != nil {
		return i, fmt.Errorf("take the image %s from %s: %w", name, folder, err)
	}
	return i, nil
}

// lying yields the files of a folder.
func lying(folder string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, name := range []string{"cmdline", image.Kernel, image.Initrd} {
			if !yieldFile(filepath.Join(folder, name), yield) {
				return
			}
		}
	}
}

func yieldFile(path string, yield func(File, error) bool) bool {
	from, err := os.Open(path)
	if err != nil {
		yield(File{}, err)
		return false
	}
	defer from.Close()
	return yield(File{filepath.Base(path), -1, from}, nil)
}

// List returns the images by digest, without damaged ones.
func (f *Folder) List() ([]image.Manifest, error) {
	entries, err := os.ReadDir(f.root)
	if err != nil {
		return nil, fmt.Errorf("list images: %w", err)
	}
	var list []image.Manifest
	for _, e := range entries {
		if m, err := image.Open(f.root, e.Name()); err == nil {
			list = append(list, m)
		}
	}
	return list, nil
}

// Open returns the manifest of an image. The error wraps fs.ErrNotExist if there is none.
func (f *Folder) Open(digest string) (image.Manifest, error) { return image.Open(f.root, digest) }

// File reads one file of an image.
func (f *Folder) File(digest, file string) (io.ReadCloser, error) {
	if err := image.CheckDigest(digest); err != nil {
		return nil, err
	}
	if file != image.Kernel && file != image.Initrd && file != image.Disk {
		return nil, fmt.Errorf("an image has no file %q", file)
	}
	return os.Open(filepath.Join(f.root, digest, file))
}

// Remove deletes the files of an image, if there are any. The image must not be in use, which only the
// state knows.
func (f *Folder) Remove(digest string) error {
	if err := image.CheckDigest(digest); err != nil {
		return err
	}
	if err := f.remove(digest); err != nil {
		return fmt.Errorf("remove image %s: %w", digest, err)
	}
	return f.count(0)
}

func (f *Folder) remove(digest string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	// The folder is renamed first, so that no reader opens half of it.
	doomed := filepath.Join(f.root, digest+".partial")
	err := os.Rename(filepath.Join(f.root, digest), doomed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(doomed)
}
