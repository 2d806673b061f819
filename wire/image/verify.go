package image

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// Verifier checks that the files of images are still those of their manifests. Images lie on a store where others can
// write. A file that has not changed since it was last read is not read again; libvirt, which gives a file to QEMU's
// user while a VM uses it, changes it too. A Verifier is safe for concurrent use.
//
// It does not protect from a change between the check and the use of the files.
type Verifier struct {
	mu   sync.Mutex
	seen map[string][]stamp // by digest
}

// stamp changes with every change of a file: nobody can set the time of the last one.
type stamp struct {
	device, inode uint64
	size          int64
	changed       unix.Timespec
}

// Verify returns the image in root/<digest>, or an error if a file of it is missing or is another one. The error wraps
// fs.ErrNotExist if there is no such image.
func (v *Verifier) Verify(root, digest string) (Manifest, error) {
	m, err := Open(root, digest)
	if err != nil {
		return m, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	folder := filepath.Join(root, digest)
	if seen, err := stamps(folder, m); err == nil && slices.Equal(seen, v.seen[digest]) {
		return m, nil
	}
	delete(v.seen, digest)
	var stamped []stamp
	for _, want := range onDisk(m) {
		s, err := verify(filepath.Join(folder, want.Name), want)
		if err != nil {
			return m, fmt.Errorf("image %s is not what it was: %v; remove %s, and it is fetched again", m.Name,
				err, folder)
		}
		stamped = append(stamped, s)
	}
	if v.seen == nil {
		v.seen = map[string][]stamp{}
	}
	v.seen[digest] = stamped
	return m, nil
}

// onDisk describes the files that are used: the manifest's, and the copy of its command line.
func onDisk(m Manifest) []File {
	text := m.Cmdline + "\n"
	sum := sha256.Sum256([]byte(text))
	return append(slices.Clone(m.Files), File{cmdlineFile, int64(len(text)), hex.EncodeToString(sum[:])})
}

// verify reads a regular file, compares it with its description, and returns its stamp from before it was read. So a
// change during the reading is noticed by the next check. It is no error here: starting a VM changes the files' owner.
func verify(path string, want File) (stamp, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return stamp{}, err
	}
	defer file.Close()
	s, err := stampOf(file)
	if err != nil {
		return stamp{}, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, want.Size+1)); err != nil {
		return stamp{}, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		return stamp{}, fmt.Errorf("%s does not match the manifest", want.Name)
	}
	return s, nil
}

func stamps(folder string, m Manifest) (all []stamp, err error) {
	for _, f := range onDisk(m) {
		file, err := os.OpenFile(filepath.Join(folder, f.Name), unix.O_PATH|unix.O_NOFOLLOW, 0)
		if err != nil {
			return nil, err
		}
		s, err := stampOf(file)
		file.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// stampOf returns the stamp of an open file if it is a regular one.
func stampOf(file *os.File) (stamp, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return stamp{}, fmt.Errorf("look at %s: %w", file.Name(), err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return stamp{}, fmt.Errorf("%s is not a regular file", filepath.Base(file.Name()))
	}
	return stamp{stat.Dev, stat.Ino, stat.Size, stat.Ctim}, nil
}
