package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/web"
)

// logPoll is the polling interval of a followed log.
const logPoll = 200 * time.Millisecond

// Logs opens the output of a run on the store, as the guest wrote it.
func (m *Manager) Logs(ctx context.Context, q web.LogQuery) (io.ReadCloser, error) {
	f := folder.Of(m.cfg.StorePath, q.Run)
	path := f.Output()
	if q.Stream == web.Console {
		path = f.Console()
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %v", web.ErrNoLogs, q.Run)
	}
	if err != nil {
		return nil, fmt.Errorf("open the output of %v: %w", q.Run, err)
	}
	r := &logReader{ctx: ctx, manager: m, file: file, query: q}
	if _, err := io.CopyN(io.Discard, r, q.Offset); err != nil && err != io.EOF {
		file.Close()
		return nil, err
	}
	return r, nil
}

// logReader reads a growing file: either output frames or the raw console.
type logReader struct {
	ctx     context.Context
	manager *Manager
	file    *os.File
	query   web.LogQuery
	decoder protocol.OutputDecoder
	text    []byte
	ended   bool // the run was over before the last read
}

func (r *logReader) Read(p []byte) (int, error) {
	for len(r.text) == 0 {
		if err := r.grow(); err != nil {
			return 0, fmt.Errorf("read the output of %v: %w", r.query.Run, err)
		}
		if len(r.text) > 0 {
			break
		}
		if r.ended || !r.query.Follow {
			return 0, io.EOF
		}
		if r.ended = !r.manager.store.Latest().Current(r.query.Run); r.ended {
			continue // read once more: the last frames came before the end was known
		}
		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case <-time.After(logPoll):
		}
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}

// grow appends the run's new output to the text.
func (r *logReader) grow() error {
	if r.query.Stream == web.Console {
		piece := make([]byte, 32<<10)
		n, err := r.file.Read(piece)
		r.text = append(r.text, piece[:n]...)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	chunks, err := r.decoder.Drain(r.file)
	for _, c := range chunks {
		if r.query.Stream == "" || r.query.Stream == c.Stream.String() {
			r.text = append(r.text, c.Data...)
		}
	}
	return err
}

func (r *logReader) Close() error { return r.file.Close() }
