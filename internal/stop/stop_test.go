package stop

import (
	"context"
	"errors"
	"testing"
)

func TestWorkThatHearsNothingIsNotWaitedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ever := make(chan struct{})
	defer close(ever)
	_, err := Unless(ctx, func() (int, error) {
		cancel()
		<-ever
		return 1, nil
	})
	if !errors.Is(err, Err) {
		t.Error(err)
	}
	if _, err := Unless(ctx, func() (int, error) { t.Error("it was begun"); return 1, nil }); !errors.Is(err, Err) {
		t.Error(err)
	}
	failed := errors.New("failed")
	if n, err := Unless(t.Context(), func() (int, error) { return 1, failed }); n != 1 || !errors.Is(err, failed) {
		t.Error(n, err)
	}
}
