package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// errStopped is that the user has said stop.
var errStopped = errors.New("stopped before the end")

// unlessStopped returns what work comes to, or errStopped as soon as the user says stop. Work that hears nothing, as it
// computes or waits for input, then ends with the program.
func unlessStopped[T any](ctx context.Context, work func() (T, error)) (value T, err error) {
	if ctx.Err() != nil {
		return value, errStopped
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return value, errStopped
	}
}

// unwritten says of a file, if one was wanted, that it was not written as the user said stop.
func unwritten(err error, path string) error {
	if errors.Is(err, errStopped) && path != "" {
		return fmt.Errorf("%w; %s is not written", err, path)
	}
	return err
}

// stopping says whether the user has said stop.
func stopping(ctx context.Context) func() bool {
	return func() bool { return ctx.Err() != nil }
}

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

// input is a file, or standard input. Reading it shows how far that is, and ends when the user says stop, even while nothing comes.
type input struct {
	from       io.Reader
	ctx        context.Context
	path       string
	size, read int64
	progress   *progress
	close      func() error
}

// input opens a file; - is standard input.
func (a *app) input(ctx context.Context, path string) (*input, error) {
	if path == "-" {
		return &input{from: a.in, ctx: ctx, path: path, progress: a.progress(0), close: func() error { return nil }}, nil
	}
	file, err := unlessStopped(ctx, func() (*os.File, error) { return os.Open(path) }) // a pipe waits for who writes it
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
	n, err := unlessStopped(in.ctx, func() (int, error) { return in.from.Read(p) })
	in.read += int64(n)
	in.progress.percent("read "+in.path, in.read, in.size)
	return n, err
}

// Close closes the file, and wipes away how far it was read.
func (in *input) Close() error {
	in.progress.end()
	return in.close()
}
