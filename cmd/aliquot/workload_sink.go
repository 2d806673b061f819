package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"aliquot/internal/wording"
	"aliquot/workload"
)

// outFlags say where streams go.
type outFlags struct {
	path  string
	force bool
}

func (o *outFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&o.path, "out", "", "file, or folder for several streams (default: standard output); .gz makes gzip")
	f.BoolVar(&o.force, "force", false, "replace files that are there already")
}

// sink writes streams to the files that are meant for them, one after the other.
type sink struct {
	app     *app
	paths   []string  // none: standard output
	Written []written `json:"files"`
}

// written is a file of a stream.
type written struct {
	File string `json:"file"`
	Jobs int    `json:"jobs"`
}

// sink is where streams of these names go: to standard output, into one file, or into a folder.
func (a *app) sink(o outFlags, names []string) (*sink, error) {
	s := &sink{app: a, Written: []written{}}
	switch {
	case o.path == "" && len(names) > 1:
		return nil, usagef("%d streams need a folder: say --out DIR", len(names))
	case o.path == "" && a.format != "table":
		return nil, usagef("the stream itself goes to standard output: -o %s needs --out", a.format)
	case o.path == "":
		return s, nil
	case o.isFolder():
		for _, name := range names {
			s.paths = append(s.paths, filepath.Join(o.path, name+".csv"))
		}
	case !endsIn(o.path, ".csv", ".csv.gz"):
		return nil, usagef("%s: a stream's file ends in .csv or .csv.gz, a new folder in /", o.path)
	case len(names) > 1:
		return nil, usagef("%d streams need a folder: %s is the name of a file", len(names), o.path)
	default:
		s.paths = []string{o.path}
	}
	return s, vacant(o.force, s.paths...)
}

// isFolder says whether streams go into a folder: one that is there, or whose name has no ending.
func (o *outFlags) isFolder() bool {
	info, err := os.Stat(o.path)
	return err == nil && info.IsDir() || strings.HasSuffix(o.path, "/") || filepath.Ext(o.path) == ""
}

// stream writes the next stream.
func (s *sink) stream(ctx context.Context, jobs []workload.Job) error {
	write := func(w io.Writer) error { return workload.Write(stoppable{ctx, w}, jobs) }
	if len(s.paths) == 0 {
		return write(s.app.out)
	}
	path := s.paths[len(s.Written)]
	if err := writeFile(path, write); err != nil {
		return s.stopped(err)
	}
	s.Written = append(s.Written, written{path, len(jobs)})
	return nil
}

// stopped says how many files were written when the user said stop.
func (s *sink) stopped(err error) error {
	switch {
	case len(s.paths) == 1:
		return unwritten(err, s.paths[0])
	case errors.Is(err, errStopped) && len(s.paths) > 1:
		return fmt.Errorf("%w; %d of %d files are written", err, len(s.Written), len(s.paths))
	}
	return err
}

// scaled writes a stream's versions: one per load, or the stream as it is.
func (s *sink) scaled(ctx context.Context, jobs []workload.Job, nodes int, loads []float64) error {
	if len(loads) == 0 {
		return s.stream(ctx, jobs)
	}
	for _, load := range loads {
		scaled, err := workload.Scale(jobs, nodes, load)
		if err != nil {
			return usage{fmt.Errorf("scale to a load of %g: %w", load, err)}
		}
		if err := s.stream(ctx, scaled); err != nil {
			return err
		}
	}
	return nil
}

// sum says what was written, unless it was the streams themselves that were shown.
func (s *sink) sum() error {
	if len(s.paths) == 0 {
		return nil
	}
	return s.app.show(s, func(w io.Writer) {
		jobs := 0
		for _, f := range s.Written {
			jobs += f.Jobs
		}
		switch first := s.Written[0].File; len(s.Written) {
		case 1:
			fmt.Fprintf(w, "%s in %s\n", wording.Count(jobs, "job"), first)
		default:
			fmt.Fprintf(w, "%s in %d files, %s to %s\n", wording.Count(jobs, "job"), len(s.Written), first, filepath.Base(s.Written[len(s.Written)-1].File))
		}
	})
}
