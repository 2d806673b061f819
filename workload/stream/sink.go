package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/workload"
)

// Place is the destination of streams.
type Place struct {
	Path  string // file, or folder for several streams; "": standard output
	Force bool   // replace existing files
}

// IsFolder reports whether the place is a folder: an existing one, or a path without an ending.
func (p Place) IsFolder() bool {
	info, err := os.Stat(p.Path)
	return err == nil && info.IsDir() || strings.HasSuffix(p.Path, "/") || filepath.Ext(p.Path) == ""
}

// Sink writes streams to their files, one after the other.
type Sink struct {
	out     io.Writer
	paths   []string  // none: standard output
	Written []Written `json:"files"`
}

// Written describes a written file.
type Written struct {
	File string `json:"file"`
	Jobs int    `json:"jobs"`
}

// Sink returns the sink for streams with these names: standard output (out), one file, or a folder. It fails if the
// names do not fit the place, or if files would be replaced without Force.
func (p Place) Sink(out io.Writer, names []string) (*Sink, error) {
	s := &Sink{out: out, Written: []Written{}}
	switch {
	case p.Path == "" && len(names) > 1:
		return nil, fmt.Errorf("%d streams need a folder: say --out DIR", len(names))
	case p.Path == "":
		return s, nil
	case p.IsFolder():
		for _, name := range names {
			s.paths = append(s.paths, filepath.Join(p.Path, name+".csv"))
		}
	case !EndsIn(p.Path, ".csv", ".csv.gz"):
		return nil, fmt.Errorf("%s: a stream's file ends in .csv or .csv.gz, a new folder in /", p.Path)
	case len(names) > 1:
		return nil, fmt.Errorf("%d streams need a folder: %s is the name of a file", len(names), p.Path)
	default:
		s.paths = []string{p.Path}
	}
	return s, file.Vacant(p.Force, s.paths...)
}

// Write writes the next stream.
func (s *Sink) Write(ctx context.Context, jobs []workload.Job) error {
	write := func(w io.Writer) error { return workload.Write(stop.Writer{Context: ctx, To: w}, jobs) }
	if len(s.paths) == 0 {
		return write(s.out)
	}
	path := s.paths[len(s.Written)]
	if err := file.Write(path, write); err != nil {
		return s.Stopped(err)
	}
	s.Written = append(s.Written, Written{path, len(jobs)})
	return nil
}

// Stopped adds to an error the number of files written when the user stopped the command.
func (s *Sink) Stopped(err error) error {
	switch {
	case !errors.Is(err, stop.Err):
		return err
	case len(s.paths) == 1:
		return fmt.Errorf("%w; %s is not written", err, s.paths[0])
	case len(s.paths) > 1:
		return fmt.Errorf("%w; %d of %d files are written", err, len(s.Written), len(s.paths))
	}
	return err
}
