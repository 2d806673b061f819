package trials

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"aliquot/internal/file"
	"aliquot/sim/sweep"
)

// A File keeps the results of a sweep on disk, one JSON line each. One program at a time may hold it.
type File struct {
	*sweep.Store
	path string
	file *os.File
}

// Unusable reports a file that cannot keep results: the user has to name another.
type Unusable struct{ error }

// Unwrap returns the cause.
func (u Unusable) Unwrap() error { return u.error }

// Open reads the results in a file, creates it if necessary, and locks it. It removes a last line that an
// interruption cut short. It refuses a file with anything except results of this version, with the error Unusable,
// and does not change it.
func Open(path string) (*File, error) {
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		return nil, Unusable{fmt.Errorf("%s: results are kept as plain lines, so that a sweep can go on: leave .gz out",
			path)}
	}
	opened, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, Unusable{fmt.Errorf("open the results: %w", err)}
	}
	f := &File{sweep.NewStore(), path, opened}
	if err := f.take(); err != nil {
		opened.Close()
		return nil, err
	}
	return f, nil
}

// take locks the file and reads it.
func (f *File) take() error {
	if err := syscall.Flock(int(f.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("%s is being written by another sweep: wait for it, or name another file", f.path)
	}
	whole, err := f.Read(bufio.NewReader(f.file))
	if err != nil {
		return Unusable{fmt.Errorf("%s: %w", f.path, err)}
	}
	if foreign := f.Foreign(); len(foreign) > 0 {
		return Unusable{fmt.Errorf("%s holds results of version %d, and this program's are of version %d: name another file",
			f.path, foreign[0], sweep.Version)}
	}
	if err := f.file.Truncate(whole); err != nil {
		return fmt.Errorf("cut the results: %w", err)
	}
	_, err = f.file.Seek(whole, 0)
	return err
}

// Keep writes a result at once, so that a crash loses nothing.
func (f *File) Keep(result sweep.Result) error {
	line, err := sweep.Line(result)
	if err != nil {
		return err
	}
	if _, err := f.file.Write(line); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	f.Put(result)
	return nil
}

// Tidy sorts the results and removes duplicates, so that the file does not depend on which worker ended first.
func (f *File) Tidy() error {
	return file.Write(f.path, func(out io.Writer) error {
		for _, result := range f.All() {
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

// Close releases the file.
func (f *File) Close() error { return f.file.Close() }

// Path returns the path that was opened.
func (f *File) Path() string { return f.path }

// Of lists the results of trials, in their order; those without one are left out.
func (f *File) Of(entries []Entry) []sweep.Result {
	found := make([]sweep.Result, 0, len(entries))
	for _, e := range entries {
		if r, ok := f.Get(e.Trial); ok {
			found = append(found, r)
		}
	}
	return found
}
