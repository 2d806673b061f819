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

// unwritten says of a file, if one was wanted, that it was not written as the user said stop.
func unwritten(err error, path string) error {
	if errors.Is(err, stop.Err) && path != "" {
		return fmt.Errorf("%w; %s is not written", err, path)
	}
	return err
}

// input is a file, or standard input. Reading it shows how far that is, and ends when the user says stop, even while nothing comes.
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
	file, err := stop.Unless(ctx, func() (*os.File, error) { return os.Open(path) }) // a pipe waits for who writes it
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

// Close closes the file, and wipes away how far it was read.
func (in *input) Close() error {
	in.progress.End()
	return in.close()
}
