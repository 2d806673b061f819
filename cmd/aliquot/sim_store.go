package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"aliquot/internal/wording"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// resultFile is a sweep's results on disk, one JSON line for each. Only one program at a time may hold it.
type resultFile struct {
	*sweep.Store
	path string
	file *os.File
}

// openResults reads what the file holds, makes it if need be, and holds it. What an interruption cut short goes; a file
// that holds anything else than results of this version is refused and left as it is.
func openResults(path string) (*resultFile, error) {
	if endsIn(path, ".gz") {
		return nil, usagef("%s: results are kept as plain lines, so that a sweep can go on: leave .gz out", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, usage{fmt.Errorf("open the results: %w", err)}
	}
	r := &resultFile{sweep.NewStore(), path, file}
	if err := r.take(); err != nil {
		file.Close()
		return nil, err
	}
	return r, nil
}

func (r *resultFile) take() error {
	if err := syscall.Flock(int(r.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("%s is being written by another sweep: wait for it, or name another file", r.path)
	}
	whole, err := r.Read(bufio.NewReader(r.file))
	if err != nil {
		return usage{fmt.Errorf("%s: %w", r.path, err)}
	}
	if foreign := r.Foreign(); len(foreign) > 0 {
		return usagef("%s holds results of version %d, and this program's are of version %d: name another file", r.path, foreign[0], sweep.Version)
	}
	if err := r.file.Truncate(whole); err != nil {
		return fmt.Errorf("cut the results: %w", err)
	}
	_, err = r.file.Seek(whole, 0)
	return err
}

// keep writes a result at once, so that nothing is lost whatever happens next.
func (r *resultFile) keep(result sweep.Result) error {
	line, err := sweep.Line(result)
	if err != nil {
		return err
	}
	if _, err := r.file.Write(line); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	r.Put(result)
	return nil
}

// tidy puts the results in order, each once, so that the file does not depend on who finished first.
func (r *resultFile) tidy() error {
	return writeFile(r.path, func(out io.Writer) error {
		for _, result := range r.All() {
			line, err := sweep.Line(result)
			if err != nil {
				return err
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *resultFile) close() error { return r.file.Close() }

// readResults reads the results of one or more sweeps, plain or gzip; - is standard input. It says how many were left out.
func (a *app) readResults(ctx context.Context, paths []string) ([]sweep.Result, error) {
	all := sweep.NewStore()
	for _, path := range paths {
		in, err := a.input(ctx, path)
		if err != nil {
			return nil, usage{fmt.Errorf("open the results: %w", err)}
		}
		defer in.Close()
		plain, err := workload.Gunzip(in)
		if err == nil {
			_, err = all.Read(plain)
		}
		if err != nil {
			return nil, usage{fmt.Errorf("%s: %w", path, err)}
		}
	}
	if n := len(all.Foreign()); n > 0 {
		fmt.Fprintf(a.err, "%s of another version than this program's %d left out\n", wording.Count(n, "result"), sweep.Version)
	}
	results := all.All()
	if len(results) == 0 {
		return nil, usagef("no results of this program's version in %s: run aliquot sim sweep", strings.Join(paths, ", "))
	}
	return results, nil
}
