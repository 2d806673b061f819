package protocol

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func controlStream(t interface{ Fatal(...any) }, messages ...Message) []byte {
	var b bytes.Buffer
	for _, m := range messages {
		if err := WriteControl(&b, m); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// pieces cuts b at random places.
func pieces(t *rapid.T, b []byte) [][]byte {
	var out [][]byte
	for len(b) > 0 {
		n := rapid.IntRange(1, len(b)).Draw(t, "piece")
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

func drawEnding(t *rapid.T) []Message {
	exit := rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 255), func(c int) Message { return Exit{Code: c} }),
		rapid.Map(rapid.IntRange(129, 192), func(c int) Message { return Exit{Code: c, Signal: "SIGKILL"} }),
	).Draw(t, "exit")
	text := Error{Text: rapid.StringN(0, 200, 400).Draw(t, "text")}
	return rapid.SampledFrom([][]Message{
		{Hello{Version}},
		{Hello{Version}, text},
		{Hello{Version}, Started{}},
		{Hello{Version}, Started{}, exit},
		{Hello{Version}, Started{}, text},
	}).Draw(t, "messages")
}

func TestControlMessagesSurviveAnyCutting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawEnding(t)
		var got []Message
		var d ControlDecoder
		for _, p := range pieces(t, controlStream(t, want...)) {
			m, err := d.Feed(p)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, m...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestAControlStreamThatIsCutShortIsWaitedForAndNeverASuccess(t *testing.T) {
	whole := controlStream(t, Hello{Version}, Started{}, Exit{})
	for n := range whole {
		var d ControlDecoder
		messages, err := d.Feed(whole[:n])
		if err != nil {
			t.Fatalf("after %d bytes: %v", n, err)
		}
		for _, m := range messages {
			if e, ok := m.(Exit); ok {
				t.Fatalf("after %d of %d bytes: %+v", n, len(whole), e)
			}
		}
	}
}

func TestADamagedControlStreamIsNeverASuccess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := controlStream(t, Hello{Version}, Started{}, Exit{Code: 1})
		i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		b[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		var d ControlDecoder
		messages, _ := d.Feed(append(b, controlStream(t, Exit{})...))
		for _, m := range messages {
			if e, ok := m.(Exit); ok && e.Success() {
				t.Fatal("a damaged stream ended in success")
			}
		}
	})
}

func TestControlErrorsStay(t *testing.T) {
	var d ControlDecoder
	_, first := d.Feed([]byte("Kernel panic - not syncing"))
	if first == nil {
		t.Fatal("garbage was accepted")
	}
	messages, err := d.Feed(controlStream(t, Hello{Version}, Started{}, Exit{}))
	if err != first || len(messages) != 0 {
		t.Fatalf("after damage: %v, %v", messages, err)
	}
}

func TestControlOrderIsEnforced(t *testing.T) {
	for name, messages := range map[string][]Message{
		"started before hello": {Started{}},
		"two hellos":           {Hello{Version}, Hello{Version}},
		"started twice":        {Hello{Version}, Started{}, Started{}},
		"exit before started":  {Hello{Version}, Exit{}},
		"exit twice":           {Hello{Version}, Started{}, Exit{Code: 1}, Exit{}},
		"exit after error":     {Hello{Version}, Started{}, Error{"no"}, Exit{}},
		"another version":      {Hello{Version + 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var d ControlDecoder
			got, err := d.Feed(controlStream(t, messages...))
			if err == nil {
				t.Fatal("accepted")
			}
			if want := messages[:len(messages)-1]; !cmp.Equal(want, got) && len(want)+len(got) > 0 {
				t.Fatalf("messages before the error: %v, want %v", got, want)
			}
		})
	}
}

func TestOutputFramesAreRefusedOnTheControlPort(t *testing.T) {
	var b bytes.Buffer
	if err := WriteOutput(&b, Chunk{Stream: Stdout, Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	var d ControlDecoder
	if _, err := d.Feed(b.Bytes()); err == nil {
		t.Fatal("accepted")
	}
}

func TestExitOutsideItsLimitsIsNotWritten(t *testing.T) {
	for _, e := range []Exit{{Code: -1}, {Code: 256}, {Code: 0, Signal: "SIGKILL"},
		{Code: 137, Signal: "SIGWITHALONGNAMEX"}} {
		var b bytes.Buffer
		if err := WriteControl(&b, e); err == nil || b.Len() > 0 {
			t.Errorf("%+v was written", e)
		}
	}
}

func TestAGrowingControlFileIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "control")
	stream := controlStream(t, Hello{Version}, Started{}, Exit{Code: 3})
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var d ControlDecoder
	var got []Message
	for _, part := range [][]byte{stream[:20], nil, stream[20:]} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		grown, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Feed(grown)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m...)
	}
	if diff := cmp.Diff([]Message{Hello{Version}, Started{}, Exit{Code: 3}}, got); diff != "" {
		t.Fatal(diff)
	}
}

func FuzzControlDecoder(f *testing.F) {
	f.Add(controlStream(f, Hello{Version}, Started{}, Exit{Code: 137, Signal: "SIGKILL"}), uint16(7))
	f.Add(controlStream(f, Hello{Version}, Error{"no task"}), uint16(1))
	f.Add([]byte("\xa1lq\x01\x03\xff\xff\xff\xff"), uint16(0))
	f.Fuzz(func(t *testing.T, b []byte, at uint16) {
		var whole, cut ControlDecoder
		want, wantErr := whole.Feed(b)
		i := min(int(at), len(b))
		got, err := cut.Feed(b[:i])
		if err == nil {
			var rest []Message
			rest, err = cut.Feed(b[i:])
			got = append(got, rest...)
		}
		if (err == nil) != (wantErr == nil) || !cmp.Equal(want, got) {
			t.Fatalf("cut at %d: %v, %v; whole: %v, %v", i, got, err, want, wantErr)
		}
		if again := controlStream(t, want...); !bytes.HasPrefix(b, again) {
			t.Fatalf("%v encodes to %x", want, again)
		}
	})
}
