package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"aliquot/internal/stop"
	"aliquot/internal/terminal"
)

// unwritten adds to the error of an interruption that the file, if any, was not written.
func unwritten(err error, path string) error {
	if errors.Is(err, stop.Err) && path != "" {
		return fmt.Errorf("%w; %s is not written", err, path)
	}
	return err
}

// input is a file or standard input. Reading shows the progress, and ends when the user interrupts, even while no data
// comes.
type input struct {
	from       io.Reader
	ctx        context.Context
	path       string
	size, read int64
	progress   *terminal.Progress
	close      func() error
}

// input opens a file; - is standard input.
func (a *app) input(ctx context.Context, path string) (*input, error) {
	if path == "-" {
		return &input{from: a.in, ctx: ctx, path: path, progress: a.progress(0), close: func() error { return nil }}, nil
	}
	file, err := stop.Unless(ctx, func() (*os.File, error) { return os.Open(path) }) // opening a pipe waits for its writer
	if err != nil {
		return nil, err
	}
	in := &input{from: file, ctx: ctx, path: path, progress: a.progress(0), close: file.Close}
	if info, err := file.Stat(); err == nil {
		in.size = info.Size()
	}
	return in, nil
}

func (in *input) Read(p []byte) (int, error) {
	n, err := stop.Unless(in.ctx, func() (int, error) { return in.from.Read(p) })
	in.read += int64(n)
	in.progress.Percent("read "+in.path, in.read, in.size)
	return n, err
}

// Close closes the file and clears the progress.
func (in *input) Close() error {
	in.progress.End()
	return in.close()
}
