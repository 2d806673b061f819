package manager

import (
	"context"
	"errors"
	"fmt"

	"aliquot/cluster"
	"aliquot/manager/link"
	"aliquot/web"
)

// Stream opens a stream into the VM of the run, through its node's monitor.
func (m *Manager) Stream(ctx context.Context, run cluster.RunID) (web.Stream, error) {
	j := m.store.Latest().Job(run.Job)
	if j == nil || run.Index >= len(j.Tasks) || j.Tasks[run.Index].Run != run.Number || j.Tasks[run.Index].Node == 0 {
		return nil, fmt.Errorf("%w: run %v has no VM", web.ErrNoStream, run)
	}
	s, err := m.link.Open(ctx, j.Tasks[run.Index].Node, run)
	if errors.Is(err, link.ErrNoStream) {
		return nil, fmt.Errorf("%w: %w", web.ErrNoStream, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
