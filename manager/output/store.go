package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/web"
)

const (
	blockSize = 64 << 10         // bytes read at once
	slots     = 32               // most operations on the store at once, lists of results apart
	listings  = 2                // most lists of results that are made at once; each may take 10 MiB and a while
	patience  = 10 * time.Second // with one operation, waiting for its slot included
)

// file is an opened log.
type file interface {
	io.ReaderAt
	io.Closer
}

// Store reads the logs on the cluster's store. It may be used concurrently.
type Store struct {
	root     string
	open     func(path string) (file, error)
	slots    slotsOf
	listings slotsOf
	marks    marks
}

// New returns a reader of the store mounted at the path.
func New(path string) *Store {
	s := newStore(func(name string) (file, error) { return openWithin(path, name) })
	s.root = path
	return s
}

func newStore(open func(string) (file, error)) *Store {
	return &Store{open: open, slots: newSlots(slots, blockSize), listings: newSlots(listings, 0)}
}

// openWithin opens a regular file below the root. Symbolic links cannot lead out of it, and a pipe does not block.
func openWithin(root, name string) (*os.File, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is a %v, not a regular file", name, info.Mode().Type())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Open opens the output of a run. A followed log ends when current reports that the run is over and all is read.
func (s *Store) Open(ctx context.Context, q web.LogQuery, current func(cluster.RunID) bool) (io.ReadCloser, error) {
	f := folder.Of("", q.Run)
	path := f.Output()
	if q.Stream == web.Console {
		path = f.Console()
	}
	opened := make(chan file, 1)
	err := s.do(ctx, func([]byte) error {
		f, err := s.open(path)
		opened <- f // if nobody waits any longer, the garbage collector closes the file
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %v", web.ErrNoLogs, q.Run)
	}
	if err != nil {
		return nil, fmt.Errorf("open the output of %v: %w", q.Run, err)
	}
	return newReader(ctx, s, <-opened, q, current), nil
}

// do runs one operation on the store in one of the slots for any operation.
func (s *Store) do(ctx context.Context, operate func(block []byte) error) error {
	return s.slots.do(ctx, operate)
}

// slotsOf are the slots for operations of a kind. Each holds the block that its operation may fill.
type slotsOf chan []byte

func newSlots(count, block int) slotsOf {
	s := make(slotsOf, count)
	for range count {
		s <- make([]byte, block)
	}
	return s
}

// do runs one operation on the store and returns when it is done, or when that takes too long. An abandoned operation
// keeps its slot and may still change what it uses.
func (s slotsOf) do(ctx context.Context, operate func(block []byte) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, web.ErrStoreSilent)
	defer cancel()
	select {
	case block := <-s:
		done := make(chan error, 1)
		go func() {
			err := operate(block)
			s <- block
			done <- err
		}()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return context.Cause(ctx)
}

// close closes a file as soon as the store answers.
func (s *Store) close(f file) {
	go func() {
		block := <-s.slots
		f.Close()
		s.slots <- block
	}()
}
