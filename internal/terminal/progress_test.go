package terminal

import (
	"io"
	"strings"
	"testing"
	"time"
)

// paced shows a text every 100 ms of its own clock for a second, and ends.
func paced(out io.Writer, terminal bool, elsewhere time.Duration) {
	p := NewProgress(out, elsewhere)
	start := time.Unix(0, 0)
	now := start
	p.now = func() time.Time { return now }
	p.terminal, p.next = terminal, start.Add(p.every)
	for i := range 11 {
		now = start.Add(time.Duration(i) * 100 * time.Millisecond)
		p.Percent("read", int64(i), 10)
	}
	p.End()
}

func TestProgressRewritesItsLineOnATerminalOnly(t *testing.T) {
	for _, c := range []struct {
		terminal  bool
		elsewhere time.Duration
		want      string
	}{
		{true, 500 * time.Millisecond, "\rread: 50%\x1b[K\rread: 100%\x1b[K\r\x1b[K"},
		{false, 500 * time.Millisecond, "read: 50%\nread: 100%\n"},
		{false, 0, ""},
	} {
		var out strings.Builder
		paced(&out, c.terminal, c.elsewhere)
		if out.String() != c.want {
			t.Errorf("%+v: %q", c, out.String())
		}
	}
}

// announced says when the first text has come.
type announced struct {
	strings.Builder
	first chan struct{}
}

func (a *announced) Write(p []byte) (int, error) {
	if a.Len() == 0 {
		close(a.first)
	}
	return a.Builder.Write(p)
}

func TestALiveTextIsErasedAtTheEnd(t *testing.T) {
	out := &announced{first: make(chan struct{})}
	p := NewProgress(out, 0)
	p.terminal, p.every = true, time.Millisecond
	end := p.Live(func() string { return "waiting" })
	<-out.first
	end()
	if shown := out.String(); !strings.HasPrefix(shown, "\rwaiting\x1b[K") || !strings.HasSuffix(shown, "\r\x1b[K") {
		t.Errorf("%q", shown)
	}
	var pipe strings.Builder
	NewProgress(&pipe, 0).Live(func() string { return "waiting" })()
	if pipe.Len() > 0 {
		t.Errorf("in a pipe: %q", pipe.String())
	}
}

func TestATextIsCutWhereTheTerminalEnds(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"12 of 14 trials, 3m left", 80, "12 of 14 trials, 3m left"},
		{"12 of 14 trials, 3m left", 0, "12 of 14 trials, 3m left"},
		{"12 of 14 trials, 3m left", 24, "12 of 14 trials, 3m le…"},
		{"days – and more", 8, "days –…"},
	} {
		if got := fit(c.text, c.columns); got != c.want {
			t.Errorf("%d columns: %q", c.columns, got)
		}
	}
}
