package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// vacant refuses files that are there already, before anything is written.
func vacant(force bool, paths ...string) error {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && !force {
			return usagef("%s is there already; --force replaces it", path)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usage{fmt.Errorf("look for %s: %w", path, err)}
		}
	}
	return nil
}

// writeFile writes a file as a whole or not at all: readers never see half of it. A name
// that ends in .gz makes it gzip. Missing folders are made.
func writeFile(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	partial := path + ".partial"
	file, err := os.Create(partial)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(partial)
		}
	}()
	if err := zipped(file, path, write); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(partial, path)
}

func zipped(w io.Writer, path string, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if !endsIn(path, ".gz") {
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	z := gzip.NewWriter(b)
	if err := write(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return b.Flush()
}

var errStopped = errors.New("stopped before the end")

// stoppable is a writer that takes no more once the user has said stop.
type stoppable struct {
	ctx context.Context
	to  io.Writer
}

func (s stoppable) Write(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, errStopped
	}
	return s.to.Write(p)
}

// meter shows how far a long piece of work is, on a terminal and after a moment only.
type meter struct {
	out   io.Writer
	what  string
	next  time.Time
	shown bool
}

func (a *app) meter(what string) *meter {
	return &meter{out: a.err, what: what, next: time.Now().Add(time.Second)}
}

// step says that done of total is done; it is cheap to call often.
func (m *meter) step(done, total int64) {
	now := time.Now()
	if total == 0 || now.Before(m.next) || terminal(m.out) == nil {
		return
	}
	m.next, m.shown = now.Add(200*time.Millisecond), true
	fmt.Fprintf(m.out, "\r%s: %d%%\x1b[K", m.what, 100*done/total)
}

func (m *meter) end() {
	if m.shown {
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}

// metered tells a meter what is read, and ends when the user says stop.
type metered struct {
	io.Reader
	ctx        context.Context
	meter      *meter
	size, read int64
}

func (m *metered) Read(p []byte) (int, error) {
	if m.ctx.Err() != nil {
		return 0, errStopped
	}
	n, err := m.Reader.Read(p)
	m.read += int64(n)
	m.meter.step(m.read, m.size)
	return n, err
}
