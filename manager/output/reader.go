package output

import (
	"context"
	"fmt"
	"io"
	"time"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/web"
)

// poll is the polling interval of a followed log.
const poll = 200 * time.Millisecond

// reader reads a growing file: either output frames or the raw console.
type reader struct {
	ctx     context.Context
	store   *Store
	file    file
	query   web.LogQuery
	current func(cluster.RunID) bool

	begin   int64 // bytes of the file before those that the decoder has
	at      int64 // bytes of the file that were read, or passed over
	decoder protocol.OutputDecoder
	passed  int64  // bytes of text before r.text
	text    []byte // not yet delivered
	over    bool   // the run was over before the last read
	err     error  // the reader can no longer be used
}

// newReader returns a reader that begins at the query's offset. It passes over what no mark shortens.
func newReader(ctx context.Context, s *Store, f file, q web.LogQuery, current func(cluster.RunID) bool) *reader {
	r := &reader{ctx: ctx, store: s, file: f, query: q, current: current}
	if q.Stream == web.Console {
		r.at, r.passed = q.Offset, q.Offset
		return r
	}
	m := s.marks.before(logOf(q), q.Offset)
	r.begin, r.at, r.passed = m.file, m.file, m.text
	return r
}

func (r *reader) Read(p []byte) (int, error) {
	for r.err == nil && len(r.text) == 0 {
		r.err = r.advance()
	}
	if r.err != nil {
		return 0, r.err
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	r.passed += int64(n)
	return n, nil
}

// advance reads the next block. At the end of the file it waits, or returns io.EOF.
func (r *reader) advance() error {
	before := r.at
	if err := r.store.do(r.ctx, r.grow); err != nil {
		return fmt.Errorf("read the output of %v: %w", r.query.Run, err)
	}
	switch {
	case r.at > before:
		return nil
	case r.over || !r.query.Follow:
		return io.EOF
	}
	if r.over = !r.current(r.query.Run); r.over {
		return nil // read once more: the last frames came before the end was known
	}
	select {
	case <-r.ctx.Done():
		return r.ctx.Err()
	case <-time.After(poll):
		return nil
	}
}

// grow reads a block of the file and makes its text.
func (r *reader) grow(block []byte) error {
	n, err := r.file.ReadAt(block, r.at)
	if err != nil && err != io.EOF {
		return err
	}
	r.at += int64(n)
	if r.query.Stream == web.Console {
		r.text = append([]byte(nil), block[:n]...)
		return nil
	}
	r.text = nil
	for _, c := range r.decoder.Feed(block[:n]) {
		if r.query.Stream == "" || r.query.Stream == c.Stream.String() {
			r.text = append(r.text, c.Data...)
		}
	}
	r.store.marks.add(logOf(r.query), mark{file: r.begin + r.decoder.Offset(), text: r.passed + int64(len(r.text))})
	r.skip()
	return nil
}

// skip drops text before the query's offset.
func (r *reader) skip() {
	n := min(max(0, r.query.Offset-r.passed), int64(len(r.text)))
	r.text = r.text[n:]
	r.passed += n
}

func (r *reader) Close() error {
	r.store.close(r.file)
	return nil
}
