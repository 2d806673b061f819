package manager

import (
	"context"
	"io"

	"aliquot/cluster"
	"aliquot/web"
)

// Logs opens the output of a run on the store, as the guest wrote it.
func (m *Manager) Logs(ctx context.Context, q web.LogQuery) (io.ReadCloser, error) {
	return m.output.Open(ctx, q, func(run cluster.RunID) bool { return m.store.Latest().Current(run) })
}

// Results opens the files that a run has left on the store.
func (m *Manager) Results(ctx context.Context, run cluster.RunID) (web.Results, error) {
	return m.output.Results(ctx, run)
}
