package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/stream"
)

// outFlags are the flags for the place of the output.
type outFlags struct{ stream.Place }

func (o *outFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&o.Path, "out", "", "file, or folder for several streams (default: standard output); .gz makes gzip")
	f.BoolVar(&o.Force, "force", false, "replace existing files")
}

// sink opens the place for streams with these names.
func (a *app) sink(o outFlags, names []string) (*stream.Sink, error) {
	if o.Path == "" && len(names) < 2 && a.format != "table" {
		return nil, usagef("the stream itself goes to standard output: -o %s needs --out", a.format)
	}
	s, err := o.Sink(a.out, names)
	if err != nil {
		return nil, usage{err}
	}
	return s, nil
}

// scaled writes a version of the stream per load, or the stream itself.
func scaled(ctx context.Context, s *stream.Sink, jobs []workload.Job, nodes int, loads []float64) error {
	if len(loads) == 0 {
		return s.Write(ctx, jobs)
	}
	for _, load := range loads {
		version, err := workload.Scale(jobs, nodes, load)
		if err != nil {
			return usage{fmt.Errorf("scale to a load of %g: %w", load, err)}
		}
		if err := s.Write(ctx, version); err != nil {
			return err
		}
	}
	return nil
}

// written lists the written files, unless the streams went to standard output.
func (a *app) written(s *stream.Sink) error {
	if len(s.Written) == 0 {
		return nil
	}
	return a.show(s, func(w io.Writer) {
		jobs := 0
		for _, f := range s.Written {
			jobs += f.Jobs
		}
		switch first := s.Written[0].File; len(s.Written) {
		case 1:
			fmt.Fprintf(w, "%s in %s\n", wording.Count(jobs, "job"), first)
		default:
			fmt.Fprintf(w, "%s in %d files, %s to %s\n", wording.Count(jobs, "job"), len(s.Written), first,
				filepath.Base(s.Written[len(s.Written)-1].File))
		}
	})
}
