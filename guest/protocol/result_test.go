package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// listed lists a stream, which is never an error.
func listed(t rapid.TB, stream []byte) Results {
	t.Helper()
	r, err := ReadResults(bytes.NewReader(stream), int64(len(stream)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ofFile is the frame before the parts of a file.
func ofFile(size uint64, path string) []byte {
	return appendFrame(nil, kindFile, binary.LittleEndian.AppendUint64(nil, size), []byte(path))
}

func TestResultsArriveAsTheyWereLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringMatching(`[a-z]{1,2}(/[a-z ö]{1,2})?`)
		files := rapid.MapOfN(path, rapid.IntRange(0, 2*maxPart+1), 0, 6).Draw(t, "files")
		var stream bytes.Buffer
		w := NewResultWriter(&stream, 4*maxPart)
		for path, size := range files {
			if err := w.File(path, int64(size), strings.NewReader(strings.Repeat(path, size))); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Done(); err != nil {
			t.Fatal(err)
		}
		got := listed(t, stream.Bytes())
		if !got.Complete || got.Damaged || len(got.Files)+len(got.Omitted) != len(files) ||
			int64(stream.Len()) > MaxResultStream(4*maxPart) {
			t.Fatalf("of %v there is %+v", files, got)
		}
		for _, f := range got.Files {
			content, err := io.ReadAll(f.Open(bytes.NewReader(stream.Bytes())))
			if want := strings.Repeat(f.Path, files[f.Path])[:files[f.Path]]; err != nil || string(content) != want {
				t.Fatalf("%s: %d bytes, %v", f.Path, len(content), err)
			}
		}
		cut := listed(t, stream.Bytes()[:rapid.IntRange(0, stream.Len()-1).Draw(t, "cut")])
		if cut.Complete || cut.Damaged || !slices.Equal(cut.Files, got.Files[:len(cut.Files)]) {
			t.Fatalf("a stream that is still being sent shows %+v of %+v", cut, got)
		}
	})
}

func TestResultsAboveALimitAreLeftOutAndToldOf(t *testing.T) {
	var stream bytes.Buffer
	w := NewResultWriter(&stream, 10)
	for _, f := range []struct{ path, content string }{
		{"a", "123456"}, {"b", "123456"}, {"a/b", ""}, {"../x", ""}, {"c\x1b[2J", ""}, {"a", ""}, {"d", "1234"},
	} {
		if err := w.File(f.path, int64(len(f.content)), strings.NewReader(f.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Omit("*.csv", Unmatched), w.Done()); err != nil {
		t.Fatal(err)
	}
	want := Results{Files: []ResultFile{{Path: "a", Size: 6}, {Path: "d", Size: 4}}, Complete: true, LeftOut: 6,
		Omitted: []Omitted{{"b", TooLarge}, {"a/b", BadPath}, {"../x", BadPath}, {"c�[2J", BadPath}, {"a", BadPath},
			{"*.csv", Unmatched}}}
	if diff := cmp.Diff(want, listed(t, stream.Bytes()), cmpopts.IgnoreUnexported(ResultFile{})); diff != "" {
		t.Error(diff)
	}
}

func TestAPathHasAtMost32Parts(t *testing.T) {
	deep := strings.Repeat("x/", MaxResultDepth-1)
	if !PlainPath(deep+"x") || PlainPath(deep+"x/x") {
		t.Errorf("%d parts: %t, one more: %t", MaxResultDepth, PlainPath(deep+"x"), PlainPath(deep+"x/x"))
	}
}

func TestTooManyResultsAreCounted(t *testing.T) {
	var stream bytes.Buffer
	w := NewResultWriter(&stream, 0)
	for i := range MaxResults + MaxOmissions + 7 {
		if err := w.File(strings.Repeat("x", 1+i%500)+"/"+strings.Repeat("y", 1+i/500), 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Done(); err != nil {
		t.Fatal(err)
	}
	got := listed(t, stream.Bytes())
	if len(got.Files) != MaxResults || len(got.Omitted) != MaxOmissions || got.LeftOut != MaxOmissions+7 || !got.Complete {
		t.Errorf("%d files, %d omitted, %d left out", len(got.Files), len(got.Omitted), got.LeftOut)
	}
}

func TestAFileThatShrinksOrFailsEndsInZeros(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("abc"), brokenReader{})
	for want, content := range map[string]io.Reader{"ab\x00\x00": strings.NewReader("ab"), "\x00\x00\x00\x00": broken} {
		var stream bytes.Buffer
		if err := NewResultWriter(&stream, 10).File("f", 4, content); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(listed(t, stream.Bytes()).Files[0].Open(bytes.NewReader(stream.Bytes())))
		if err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

// A guest may be its user's, once its kernel is broken.
func TestWhatAHostileGuestSendsEndsTheList(t *testing.T) {
	good := ofFile(0, "good")
	long := strings.Repeat("x", MaxResultPath+1)
	for name, bad := range map[string][]byte{
		"a path that leads out":        ofFile(0, "../x"),
		"a path from the root":         ofFile(0, "/etc/passwd"),
		"a folder in the path is good": ofFile(0, "good/x"),
		"the same path again":          good,
		"control characters":           ofFile(0, "a\x1b[2Jb"),
		"a name that reads backwards":  ofFile(0, "a\u202etxt.exe"),
		"no UTF-8":                     ofFile(0, "a\xff"),
		"a NUL":                        ofFile(0, "a\x00b"),
		"a huge name":                  ofFile(0, long),
		"a path that is too deep":      ofFile(0, strings.Repeat("x/", MaxResultDepth)+"x"),
		"no path":                      ofFile(0, ""),
		"no size":                      appendFrame(nil, kindFile, []byte("x")),
		"a size without end":           ofFile(1<<63, "x"),
		"10 GB of noise":               []byte("noise"),
		"output":                       appendFrame(nil, kindStdout, make([]byte, 9)),
		"a part of no file":            appendFrame(nil, kindPart, []byte("x")),
		"a length without end":         append(append(slices.Clone(magic), byte(kindFile)), 0xff, 0xff, 0xff, 0xff),
		"a wrong checksum":             append(slices.Clone(good[:len(good)-1]), ^good[len(good)-1]),
	} {
		got := listed(t, slices.Concat(good, bad, ofFile(0, "later"), appendFrame(nil, kindDone, make([]byte, 4))))
		if len(got.Files) != 1 || got.Files[0].Path != "good" || !got.Damaged || got.Complete {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAFileWhosePartsAreDamagedIsNotReadToItsEnd(t *testing.T) {
	part := appendFrame(nil, kindPart, make([]byte, maxPart))
	for name, second := range map[string][]byte{
		"a part of a wrong kind":      appendFrame(nil, kindFile, make([]byte, 5)),
		"a part that is too short":    append(appendFrame(nil, kindPart, make([]byte, 4)), 0),
		"a part with a wrong content": append(appendFrame(nil, kindPart, make([]byte, 5))[:17], 1),
	} {
		stream := slices.Concat(ofFile(maxPart+5, "f"), part, second)
		f := listed(t, stream).Files
		if len(f) != 1 {
			t.Fatalf("%s: %+v", name, f)
		}
		got, err := io.ReadAll(f[0].Open(bytes.NewReader(stream)))
		if len(got) != maxPart || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// FuzzResults holds that whatever a guest sends, what is listed is within the limits, plain, and within the stream.
func FuzzResults(f *testing.F) {
	f.Add(slices.Concat(ofFile(3, "a/b"), appendFrame(nil, kindPart, []byte("abc")),
		appendFrame(nil, kindOmitted, []byte("\x01*")), appendFrame(nil, kindDone, make([]byte, 4))))
	f.Add(ofFile(1<<40, "x"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		// A frame with a right checksum is beyond the reach of a fuzzer: it gets those of its frames mended.
		for rest := stream; len(rest) >= headerSize; {
			end := headerSize + int(binary.LittleEndian.Uint32(rest[5:])%4096)
			if len(rest) < end+crcSize {
				break
			}
			binary.LittleEndian.PutUint32(rest[5:], uint32(end-headerSize))
			copy(rest, magic)
			binary.LittleEndian.PutUint32(rest[end:], crc(rest[4:end]))
			rest = rest[end+crcSize:]
		}
		r := listed(t, stream)
		seen := paths{}
		for _, file := range r.Files {
			if !seen.add(file.Path) || file.at+file.span() > int64(len(stream)) {
				t.Fatalf("%+v of %d bytes", file, len(stream))
			}
			if n, err := io.Copy(io.Discard, file.Open(bytes.NewReader(stream))); err == nil && n != file.Size {
				t.Fatalf("%+v has %d bytes", file, n)
			}
		}
	})
}
