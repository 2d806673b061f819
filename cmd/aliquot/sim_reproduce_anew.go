package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"aliquot/internal/stop"
	"aliquot/sim/experiments"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// anew is a reproduction whose experiments are quick, so that none is kept.
type anew struct {
	name        string
	experiments int
	run         func(tell func(done int)) (study.Report, error)
}

// reproduceAnew runs all experiments and writes the report.
func (a *app) reproduceAnew(ctx context.Context, r reproduction, s anew) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return usage{fmt.Errorf("make the folder of the report: %w", err)}
	}
	watch := a.progress(30 * time.Second)
	report, err := s.run(func(done int) {
		watch.Show(func() string { return fmt.Sprintf("%d of %d experiments", done, s.experiments) })
	})
	watch.End()
	if errors.Is(err, context.Canceled) {
		return stop.Err
	}
	if err != nil {
		return err
	}
	about := reproduce.About{Command: r.command(s.name), Version: version}
	if err := experiments.WriteStudy(r.out, report, about); err != nil {
		return err
	}
	return a.show(report.Checks, func(w io.Writer) {
		checked(w, report.Checks, filepath.Join(r.out, "report.html"))
	})
}
