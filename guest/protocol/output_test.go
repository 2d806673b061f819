package protocol

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var chunks = rapid.SliceOf(rapid.Custom(func(t *rapid.T) Chunk {
	return Chunk{
		Stream: rapid.SampledFrom([]Stream{Stdout, Stderr}).Draw(t, "stream"),
		Micros: rapid.Uint64().Draw(t, "micros"),
		Data:   rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "data"),
	}
}))

func outputStream(t interface{ Fatal(...any) }, cs ...Chunk) []byte {
	var b bytes.Buffer
	for _, c := range cs {
		if err := WriteOutput(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func same(a, b []Chunk) string { return cmp.Diff(a, b, cmpopts.EquateEmpty()) }

func TestOutputSurvivesAnyCutting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := chunks.Draw(t, "chunks")
		var d OutputDecoder
		var got []Chunk
		stream := outputStream(t, want...)
		for _, p := range pieces(t, stream) {
			got = append(got, d.Feed(p)...)
		}
		if diff := same(want, got); diff != "" {
			t.Fatal(diff)
		}
		if d.Lost() != 0 || d.Offset() != int64(len(stream)) {
			t.Fatalf("lost %d, offset %d of %d", d.Lost(), d.Offset(), len(stream))
		}
	})
}

func TestOutputResynchronisesAfterATornFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := chunks.Draw(t, "before"), chunks.Draw(t, "after")
		torn := outputStream(t, Chunk{Stream: Stdout, Data: []byte("torn by a failing disk")})
		torn = torn[:rapid.IntRange(1, len(torn)-1).Draw(t, "torn")]
		// A torn frame may claim bytes that have not arrived yet. Enough further bytes decide whether
		// it is valid.
		after = append(after, Chunk{Stream: Stderr, Data: make([]byte, 256)})
		var d OutputDecoder
		got := d.Feed(bytes.Join([][]byte{outputStream(t, before...), torn, outputStream(t, after...)}, nil))
		if diff := same(append(before, after...), got); diff != "" {
			t.Fatal(diff)
		}
		if d.Lost() != int64(len(torn)) {
			t.Fatalf("lost %d, want %d", d.Lost(), len(torn))
		}
	})
}

func TestReadingGoesOnFromAnyOffset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := outputStream(t, chunks.Draw(t, "chunks")...)
		cut := rapid.IntRange(0, len(stream)).Draw(t, "cut")
		var first, second, whole OutputDecoder
		got := first.Feed(stream[:cut])
		got = append(got, second.Feed(stream[first.Offset():])...)
		if diff := same(whole.Feed(stream), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestOutputOfATaskIsNeverMistakenForAFrame(t *testing.T) {
	forged := append(controlStream(t, Hello{Version}, Started{}, Exit{}),
		outputStream(t, Chunk{Stream: Stderr, Data: []byte("lie")})...)
	want := []Chunk{{Stream: Stdout, Micros: 5, Data: forged}}
	var d OutputDecoder
	if diff := same(want, d.Feed(outputStream(t, want...))); diff != "" {
		t.Fatal(diff)
	}
}

func TestTheLargestChunkPassesAndALargerOneDoesNot(t *testing.T) {
	largest := Chunk{Stream: Stdout, Data: make([]byte, MaxData)}
	var d OutputDecoder
	if got := d.Feed(outputStream(t, largest)); len(got) != 1 || len(got[0].Data) != MaxData {
		t.Fatalf("got %d chunks", len(got))
	}
	var b bytes.Buffer
	if err := WriteOutput(&b, Chunk{Stream: Stdout, Data: make([]byte, MaxData+1)}); err == nil || b.Len() > 0 {
		t.Fatal("an oversized chunk was written")
	}
	if err := WriteOutput(&b, Chunk{Stream: 3}); err == nil || b.Len() > 0 {
		t.Fatal("an unknown stream was written")
	}
}

func FuzzOutputDecoder(f *testing.F) {
	f.Add(outputStream(f, Chunk{Stream: Stdout, Micros: 1, Data: []byte("hello\n")}, Chunk{Stream: Stderr, Micros: 2}),
		uint16(9))
	f.Add([]byte("\xa1lq\x01\x11\x10\x00\x00\x00\xa1lq\x01"), uint16(3))
	f.Fuzz(func(t *testing.T, b []byte, at uint16) {
		var whole, cut OutputDecoder
		want := whole.Feed(b)
		i := min(int(at), len(b))
		got := append(cut.Feed(b[:i]), cut.Feed(b[i:])...)
		if diff := same(want, got); diff != "" || whole.Lost() != cut.Lost() || whole.Offset() != cut.Offset() {
			t.Fatalf("cut at %d: %s", i, diff)
		}
		if n := int64(len(outputStream(t, want...))); n+whole.Lost() != whole.Offset() {
			t.Fatalf("%d bytes of frames and %d lost make %d", n, whole.Lost(), whole.Offset())
		}
	})
}
