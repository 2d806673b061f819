package monitor

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// Store is the path on which all nodes keep the files of runs and the memory images of
// paused ones.
type Store struct {
	path  string
	node  string
	proof atomic.Pointer[Proof]
}

// Proof is what was last found out about the store.
type Proof struct {
	Proven bool
	Free   cluster.Bytes // negative: unknown
	at     time.Duration
	err    error
}

// A proof is good for proofLife; a store that hangs gives no new ones.
const (
	proofEvery = 5 * time.Second
	proofLife  = 20 * time.Second
)

// NewStore returns the store at the path, not yet proven; the node's name keeps nodes apart.
func NewStore(path, node string) *Store { return &Store{path: path, node: node} }

// Folder is the run's folder.
func (s *Store) Folder(run cluster.RunID) Folder { return RunFolder(s.path, run) }

// Proof returns the newest proof that is still good.
func (s *Store) Proof() Proof {
	p := s.proof.Load()
	if p == nil || BootTime() > p.at+proofLife {
		return Proof{Free: -1}
	}
	return *p
}

// Watch proves the store again and again until ctx ends, and calls changed when the answer changes.
func (s *Store) Watch(ctx context.Context, of [16]byte, changed func(Proof, error)) {
	if s.path == "" {
		return
	}
	for ctx.Err() == nil {
		before, p := s.Proof(), s.prove(of)
		s.proof.Store(&p)
		if p.Proven != before.Proven {
			changed(p, p.err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(proofEvery):
		}
	}
}

// prove reads whose store it is, as the first node has written, and reads back what it writes.
func (s *Store) prove(of [16]byte) Proof {
	p := Proof{Free: -1, at: BootTime()}
	if p.err = s.belongs(of); p.err != nil {
		return p
	}
	if p.err = s.readBack(); p.err != nil {
		return p
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(s.path, &stat); err != nil {
		p.err = fmt.Errorf("measure the store: %w", err)
		return p
	}
	p.Free, p.Proven = cluster.Bytes(stat.Bavail)*cluster.Bytes(stat.Bsize), true
	return p
}

// belongs reads or makes the file that says whose store it is.
func (s *Store) belongs(of [16]byte) error {
	name, owner := filepath.Join(s.path, ".aliquot-store"), hex.EncodeToString(of[:])
	whose, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.mark(name, owner); err != nil {
			return err
		}
		whose, err = os.ReadFile(name)
	}
	if err != nil {
		return fmt.Errorf("read whose store it is: %w", err)
	}
	if got := string(bytes.TrimSpace(whose)); got != owner {
		return fmt.Errorf("the store at %s belongs to cluster %q, not to %s; give each cluster its own", s.path, got, owner)
	}
	return nil
}

// mark writes the file under another name first: of several nodes one wins, and none reads half of it.
func (s *Store) mark(name, owner string) error {
	mine := name + "." + s.node
	if err := os.WriteFile(mine, []byte(owner+"\n"), 0o644); err != nil {
		return fmt.Errorf("mark the store: %w", err)
	}
	defer os.Remove(mine)
	if err := os.Link(mine, name); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("mark the store: %w", err)
	}
	return nil
}

func (s *Store) readBack() error {
	name := filepath.Join(s.path, ".aliquot-proof."+s.node)
	want := []byte(strconv.FormatInt(int64(BootTime()), 10))
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	_, err = file.Write(want)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	defer os.Remove(name)
	got, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read back from the store: %w", err)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("the store gave back %q for %q; check its file system", got, want)
	}
	return nil
}

// image tells which memory images of the run there are.
func (f Folder) image() reconcile.Image {
	var image reconcile.Image
	if info, err := os.Stat(f.Saved()); err == nil {
		image.Size = max(1, cluster.Bytes(info.Size()))
	}
	image.Partial, image.Used = exists(f.Partial()), exists(f.Used())
	return image
}

// discard deletes all memory images of the run.
func (f Folder) discard() error {
	for _, name := range []string{f.Saved(), f.Partial(), f.Used()} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete memory image: %w", err)
		}
	}
	return nil
}

// rename gives a memory image its next name, for good.
func (f Folder) rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("rename memory image: %w", err)
	}
	if err := flush(string(f.Folder)); err != nil {
		return fmt.Errorf("flush the run's folder: %w", err)
	}
	return nil
}
