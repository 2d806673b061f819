package events

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

func TestALineThatIsTooLongIsPassedOverAndReported(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Kept)
	l.Append(at(1, 1))
	path := l.last().path
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := bytes.Cut(text, []byte("\n"))
	long := `{"revision":1,"text":"` + strings.Repeat("x", 3*maxLine) + "\"}"
	if err := os.WriteFile(path, bytes.Join([][]byte{first, []byte(long), second}, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	l, err = Open(filepath.Dir(path), Kept, zerolog.New(&log))
	if err != nil {
		t.Fatalf("the manager does not start: %v", err)
	}
	defer l.Close()
	l.Append(at(2, 2))
	if diff := cmp.Diff(append(at(1, 1), at(2, 2)...), take(t, l, Cursor{}, 4)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(log.String(), "too long") {
		t.Errorf("the log says %q", log.String())
	}
}

func TestAnEventThatIsTooLongIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Kept)
	defer l.Close()
	long := at(2, 2)[:1]
	long[0].Text = strings.Repeat("x", maxLine)
	l.Append(append(append(at(1, 1), long...), at(3, 3)...))
	if diff := cmp.Diff(append(at(1, 1), at(3, 3)...), take(t, l, Cursor{}, 4)); diff != "" {
		t.Error(diff)
	}
	if l.last().size > maxLine {
		t.Errorf("the file has %d bytes", l.last().size)
	}
}
