package libvirt

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
)

// preparing is a driver whose preparations take time.
type preparing struct {
	driver
	takes  time.Duration
	err    error
	undone int
}

func (p *preparing) expect(monitor.VM, cluster.MoveID, monitor.Folder) (func(), error) {
	time.Sleep(p.takes)
	return func() { p.undone++ }, p.err
}

func TestPreparationsThatNobodyWaitsForAnyMoreAreUndone(t *testing.T) {
	refused := errors.New("refused")
	for _, c := range []struct {
		name   string
		takes  time.Duration
		err    error
		want   error
		undone int
	}{
		{"in time", time.Second, nil, nil, 0},
		{"refused", time.Second, refused, refused, 0},
		{"too late", time.Minute, nil, context.DeadlineExceeded, 1},
		{"refused too late", time.Minute, refused, context.DeadlineExceeded, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			defer cancel()
			p := &preparing{takes: c.takes, err: c.err}
			h := &Hypervisor{driver: p}
			release, err := h.Expect(ctx, monitor.VM{}, 1, monitor.Folder{})
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
			time.Sleep(time.Hour) // of the bubble
			synctest.Wait()
			if p.undone != c.undone {
				t.Errorf("%s: undone %d times", c.name, p.undone)
			}
			if err != nil {
				return
			}
			if release(); p.undone != 1 {
				t.Errorf("%s: the release undid it %d times", c.name, p.undone)
			}
		})
	}
}
