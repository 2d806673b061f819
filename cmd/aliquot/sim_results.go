package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aliquot/sim/sweep"
	"aliquot/sim/trials"
	"aliquot/wording"
	"aliquot/workload"
)

// openResults opens the file of a sweep. An unusable file is wrong usage.
func openResults(path string) (*trials.File, error) {
	f, err := trials.Open(path)
	if unusable := (trials.Unusable{}); errors.As(err, &unusable) {
		return nil, usage{err}
	}
	return f, err
}

// readResults reads the results of one or more sweeps, plain or gzip; - is standard input. It prints how many were left
// out.
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
		fmt.Fprintf(a.err, "%s skipped: not of this program's version %d\n", wording.Count(n, "result"),
			sweep.Version)
	}
	results := all.All()
	if len(results) == 0 {
		return nil, usagef("no results of this program's version in %s: run aliquot sim sweep", strings.Join(paths, ", "))
	}
	return results, nil
}
