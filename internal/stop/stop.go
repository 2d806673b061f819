package stop

import (
	"context"
	"errors"
	"io"
)

// Err reports that the user ended the work.
var Err = errors.New("stopped before the end")

// Unless returns the result of work, or Err as soon as ctx is done. Work that does not watch ctx, because it computes
// or waits for input, is left running and ends with the program.
func Unless[T any](ctx context.Context, work func() (T, error)) (value T, err error) {
	if ctx.Err() != nil {
		return value, Err
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
		return value, Err
	}
}

// Asked returns a function that reports whether ctx is done.
func Asked(ctx context.Context) func() bool {
	return func() bool { return ctx.Err() != nil }
}

// A Writer writes to another until its context is done, and then returns Err.
type Writer struct {
	Context context.Context
	To      io.Writer
}

func (w Writer) Write(p []byte) (int, error) {
	if w.Context.Err() != nil {
		return 0, Err
	}
	return w.To.Write(p)
}
