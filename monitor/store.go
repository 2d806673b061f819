package monitor

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/internal/disk"
	"aliquot/monitor/reconcile"
)

// Store is the folder, shared by all nodes, with the files of runs and the memory images of paused runs.
type Store struct {
	path  string
	node  string
	note  string // the node's own file that records the store seen here
	proof atomic.Pointer[Proof]
	owner atomic.Pointer[string] // owner read when the store was first proven

	boottime func() time.Duration
	free     func(path string) (cluster.Bytes, error)
}

// Proof is the result of the last check of the store.
type Proof struct {
	Proven bool
	Free   cluster.Bytes // negative: unknown
	at     time.Duration
	err    error
}

// A proof is valid for proofLife. A store that hangs gives no new one.
const (
	proofEvery = 5 * time.Second
	proofLife  = 20 * time.Second
)

// storeNote is the file in the node's data folder that records the store seen here.
const storeNote = "store"

// NewStore returns the store at the path, not yet proven. The node's name keeps the nodes' own files apart. The data
// folder records whether the node has seen the store before.
func NewStore(path, node, data string) *Store {
	return &Store{path: path, node: node, note: filepath.Join(data, storeNote), boottime: BootTime,
		free: freeSpace}
}

// Folder returns the run's folder.
func (s *Store) Folder(run cluster.RunID) Folder { return RunFolder(s.path, run) }

// Proof returns the newest proof if it is still valid.
func (s *Store) Proof() Proof {
	p := s.proof.Load()
	if p == nil || s.boottime() > p.at+proofLife {
		return Proof{Free: -1}
	}
	return *p
}

// Watch proves the store periodically until ctx ends. It calls changed with the first answer and with each that differs
// from the one before.
func (s *Store) Watch(ctx context.Context, of [16]byte, changed func(Proof, error)) {
	if s.path == "" {
		return
	}
	for first := true; ctx.Err() == nil; first = false {
		before, p := s.Proof(), s.prove(of)
		s.proof.Store(&p)
		if first || p.Proven != before.Proven {
			changed(p, p.err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(proofEvery):
		}
	}
}

// prove checks the store's owner, as recorded by the first node, and reads back a file that it writes.
func (s *Store) prove(of [16]byte) Proof {
	p := Proof{Free: -1, at: s.boottime()}
	if p.err = s.belongs(of); p.err != nil {
		return p
	}
	if p.err = enclosed(s.path, s.readBack); p.err != nil {
		return p
	}
	free, err := s.free(s.path)
	if err != nil {
		p.err = fmt.Errorf("measure the store: %w", err)
		return p
	}
	p.Free, p.Proven = free, true
	return p
}

func freeSpace(path string) (cluster.Bytes, error) {
	space, err := disk.Measure(path)
	return space.Free, err
}

// marker is the file that names the store's owner.
const marker = ".aliquot-store"

// maxMarker is far more than a marker needs, in bytes.
const maxMarker = 256

func (s *Store) readMarker() (whose []byte, err error) {
	err = enclosed(s.path, func(root *os.Root) error {
		file, err := openRegular(root, marker, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		whose, err = io.ReadAll(io.LimitReader(file, maxMarker))
		return err
	})
	return whose, err
}

// belongs reads or makes the file that names the store's owner. It is made only once: if it existed before and is gone,
// a mount is missing, and an empty folder must not pass for the store.
func (s *Store) belongs(of [16]byte) error {
	owner := hex.EncodeToString(of[:])
	seen := []byte(owner + " " + s.path + "\n")
	noted, _ := os.ReadFile(s.note)
	whose, err := s.readMarker()
	if errors.Is(err, fs.ErrNotExist) {
		if bytes.Equal(noted, seen) {
			return fmt.Errorf("the store is missing from %s: mount it, or remove %s to start with an empty one", s.path, s.note)
		}
		if err := s.found(owner); err != nil {
			return err
		}
		whose, err = s.readMarker()
	}
	if err != nil {
		return fmt.Errorf("read the store's owner: %w", err)
	}
	got := string(bytes.TrimSpace(whose))
	if got != owner {
		return fmt.Errorf("the store at %s belongs to cluster %q, not to %s; give each cluster its own", s.path, got, owner)
	}
	s.owner.Store(&got)
	if bytes.Equal(noted, seen) {
		return nil
	}
	if err := os.WriteFile(s.note, seen, 0o644); err != nil {
		return fmt.Errorf("record that the store was seen: %w", err)
	}
	return nil
}

// there returns an error unless the proven store is there at this moment.
func (s *Store) there() error {
	owner := s.owner.Load()
	if s.path == "" {
		return nil
	}
	if owner == nil {
		return fmt.Errorf("the store at %s is not checked yet", s.path)
	}
	whose, err := s.readMarker()
	if err == nil && string(bytes.TrimSpace(whose)) != *owner {
		err = errors.New("it is a different store")
	}
	if err != nil {
		return fmt.Errorf("the store is missing from %s: %w", s.path, err)
	}
	return nil
}

// found makes the folder the store of a cluster.
func (s *Store) found(owner string) error {
	err := enclosed(s.path, func(root *os.Root) error { return s.mark(root, owner) })
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s: mount the store there, or make the folder if this is the only node", s.path)
	}
	return err
}

// mark writes the file under another name first. One of several nodes wins, and none reads half a file.
func (s *Store) mark(root *os.Root, owner string) error {
	mine := marker + "." + s.node
	if err := writeRegular(root, mine, []byte(owner+"\n"), 0o644); err != nil {
		return fmt.Errorf("mark the store: %w", err)
	}
	defer root.Remove(mine)
	if err := root.Link(mine, marker); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("mark the store: %w", err)
	}
	return nil
}

func (s *Store) readBack(root *os.Root) error {
	name := ".aliquot-proof." + s.node
	want := []byte(strconv.FormatInt(int64(s.boottime()), 10))
	file, err := openRegular(root, name, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	_, err = file.Write(want)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	defer root.Remove(name)
	got, err := root.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read back from the store: %w", err)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("the store returned %q instead of %q; check its file system", got, want)
	}
	return nil
}

// image returns the state of the run's memory images. An unreadable store is an error: an image counts as gone only if
// the store clearly says that the file does not exist.
func (f Folder) image() (reconcile.Image, error) {
	saved, err := size(f.Saved())
	partial, err2 := size(f.Partial())
	used, err3 := size(f.Used())
	if err := errors.Join(err, err2, err3); err != nil {
		return reconcile.Image{}, fmt.Errorf("look for memory images: %w", err)
	}
	return reconcile.Image{Size: saved, Partial: partial > 0, Used: used > 0}, nil
}

// size returns the file's size, at least 1; 0 if there is no file.
func size(path string) (cluster.Bytes, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return max(1, cluster.Bytes(info.Size())), nil
}

// blame distinguishes a bad memory image from one that the store cannot read at the moment.
func blame(err error, path string) error {
	if !errors.Is(err, ErrUnreadable) {
		return err
	}
	file, trouble := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0) // does not wait for a pipe
	if trouble == nil {
		_, trouble = io.CopyN(io.Discard, file, 1<<16)
		file.Close()
	}
	if trouble != nil && trouble != io.EOF {
		return fmt.Errorf("the store cannot read the memory image: %w; the hypervisor says: %v", trouble, err)
	}
	return err
}

// within runs a function that uses the store, and returns when that is done or ctx ends. If the store hangs the
// function may finish much later, so that must do no harm.
func within(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("the store did not answer in time: %w", ctx.Err())
	}
}

// Doubt withdraws the proof until there is a new one.
func (s *Store) Doubt(err error) {
	s.proof.Store(&Proof{Free: -1, at: s.boottime(), err: err})
}

// discard deletes all memory images of the run.
func (f Folder) discard() error { return remove(f.Saved(), f.Partial(), f.Used()) }

func remove(images ...string) error {
	for _, name := range images {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete memory image: %w", err)
		}
	}
	return nil
}

// rename renames a memory image durably.
func (f Folder) rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("rename memory image: %w", err)
	}
	if err := flush(string(f.Folder)); err != nil {
		return fmt.Errorf("flush the run's folder: %w", err)
	}
	return nil
}
