package output

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/web"
)

var run = cluster.RunID{Job: 1, Number: 1}

func never(cluster.RunID) bool { return false }

// frames is a log that repeats two frames, one of each stream, without holding them.
type frames struct {
	frame []byte // both
	size  int64
	reads int
}

func newFrames(t *testing.T, out, err string, repeat int64) *frames {
	t.Helper()
	var b bytes.Buffer
	for _, c := range []protocol.Chunk{{Stream: protocol.Stdout, Data: []byte(out)},
		{Stream: protocol.Stderr, Data: []byte(err)}} {
		if err := protocol.WriteOutput(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return &frames{frame: b.Bytes(), size: repeat * int64(b.Len())}
}

func (f *frames) ReadAt(p []byte, at int64) (n int, err error) {
	f.reads++
	for n < len(p) && at < f.size {
		k := copy(p[n:], f.frame[at%int64(len(f.frame)):])
		n, at = n+k, at+int64(k)
	}
	if at >= f.size {
		err = io.EOF
	}
	return n, err
}

func (f *frames) Close() error { return nil }

// openAt opens a log that is served from f.
func openAt(t *testing.T, s *Store, q web.LogQuery) *reader {
	t.Helper()
	q.Run = run
	r, err := s.Open(t.Context(), q, never)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.(*reader)
}

func serving(f file) *Store { return newStore(func(string) (file, error) { return f, nil }) }

func TestOfALargeLogFewBytesAreHeld(t *testing.T) {
	f := newFrames(t, strings.Repeat("o", 1000), "", 64<<10) // 64 MB
	r := openAt(t, serving(f), web.LogQuery{Stream: "stdout"})
	var delivered, most int64
	piece := make([]byte, 32<<10)
	for {
		n, err := r.Read(piece)
		delivered += int64(n)
		most = max(most, int64(cap(r.text)), r.at-delivered*int64(len(f.frame))/1000)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if delivered != 1000*64<<10 {
		t.Errorf("%d bytes were delivered", delivered)
	}
	if limit := int64(3 * blockSize); most > limit {
		t.Errorf("%d bytes were held at once, more than %d", most, limit)
	}
}

func TestALogIsReadFromNearItsOffset(t *testing.T) {
	const size, near = 100 * 20 << 10, 1500 << 10
	f := newFrames(t, strings.Repeat("o", 99), "e", size/100)
	s := serving(f)
	for _, stream := range []string{"", "stdout", "stderr"} {
		whole, err := io.ReadAll(openAt(t, s, web.LogQuery{Stream: stream}))
		if err != nil {
			t.Fatal(err)
		}
		for _, offset := range []int{0, 1, len(whole) / 2, len(whole) - 1, len(whole), len(whole) + 5} {
			f.reads = 0
			rest, err := io.ReadAll(openAt(t, s, web.LogQuery{Stream: stream, Offset: int64(offset)}))
			if err != nil || !bytes.Equal(rest, whole[min(offset, len(whole)):]) {
				t.Errorf("%q from %d: %d bytes, %v", stream, offset, len(rest), err)
			}
			if offset >= len(whole)-1 && f.reads > near/blockSize {
				t.Errorf("%q from %d: %d blocks were read", stream, offset, f.reads)
			}
		}
	}
}

func TestTheConsoleIsReadFromItsOffset(t *testing.T) {
	f := newFrames(t, strings.Repeat("o", 1000), "", 10<<10)
	text, err := io.ReadAll(openAt(t, serving(f), web.LogQuery{Stream: web.Console, Offset: f.size - 10}))
	if err != nil || len(text) != 10 || f.reads > 2 {
		t.Errorf("got %d bytes in %d reads: %v", len(text), f.reads, err)
	}
}

// stuck is a store that hangs until it is released.
type stuck struct{ release, entered chan struct{} }

func (s stuck) open(string) (file, error) {
	s.entered <- struct{}{}
	<-s.release
	return nil, errors.New("released")
}

func TestAStoreThatHangsKeepsAFewThreadsAndNoRequest(t *testing.T) {
	hung := stuck{make(chan struct{}), make(chan struct{}, 10*slots)}
	s := newStore(hung.open)
	for range slots {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := s.Open(ctx, web.LogQuery{Run: run}, never)
			failed <- err
		}()
		<-hung.entered
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Fatalf("a request that is cancelled ends with %v", err)
		}
	}
	late, cancel := context.WithTimeoutCause(t.Context(), 0, web.ErrStoreSilent)
	defer cancel()
	if _, err := s.Open(late, web.LogQuery{Run: run}, never); !errors.Is(err, web.ErrStoreSilent) {
		t.Errorf("without a slot a request ends with %v", err)
	}
	if n := len(hung.entered); n != 0 {
		t.Errorf("%d more threads hang", n)
	}
	close(hung.release)
	if _, err := s.Open(t.Context(), web.LogQuery{Run: run}, never); err == nil || err.Error() == "" ||
		errors.Is(err, web.ErrStoreSilent) {
		t.Errorf("after the store has answered a request ends with %v", err)
	}
}

func TestOnlyARegularFileWithinTheStoreIsRead(t *testing.T) {
	store, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	path := folder.Of(store, run).Output()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(outside, []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func() error{
		"link":   func() error { return os.Symlink(outside, path) },
		"pipe":   func() error { return syscall.Mkfifo(path, 0o600) },
		"folder": func() error { return os.Mkdir(path, 0o700) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if _, err := New(store).Open(t.Context(), web.LogQuery{Run: run}, never); err == nil {
			t.Errorf("a %s is read", name)
		}
		os.Remove(path)
	}
	if _, err := New(store).Open(t.Context(), web.LogQuery{Run: run}, never); !errors.Is(err, web.ErrNoLogs) {
		t.Errorf("without a file: %v", err)
	}
}

func TestALogThatCannotBeReadSaysSo(t *testing.T) {
	r := openAt(t, serving(broken{iotest.ErrReader(errors.New("disk gone"))}), web.LogQuery{})
	for range 2 {
		if _, err := r.Read(make([]byte, 10)); err == nil || !strings.Contains(err.Error(), "disk gone") {
			t.Errorf("got %v", err)
		}
	}
}

type broken struct{ io.Reader }

func (b broken) ReadAt(p []byte, _ int64) (int, error) { return b.Read(p) }
func (b broken) Close() error                          { return nil }
