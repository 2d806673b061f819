package images

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/wire/image"
)

func open(t *testing.T, limit cluster.Bytes) (*Folder, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "images")
	f, err := Open(root, limit)
	if err != nil {
		t.Fatal(err)
	}
	return f, root
}

// files yields names and contents in turn, then the error if there is one.
func files(last error, pairs ...string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for i := 0; i < len(pairs); i += 2 {
			if !yield(File{pairs[i], int64(len(pairs[i+1])), strings.NewReader(pairs[i+1])}, nil) {
				return
			}
		}
		if last != nil {
			yield(File{}, last)
		}
	}
}

func TestAnImageIsReadAsItWasPut(t *testing.T) {
	f, _ := open(t, Limit)
	i, err := f.Put(t.Context(), "own", files(nil, "initrd", "memory disk", "cmdline", "quiet\n", "kernel", "core"))
	if err != nil {
		t.Fatal(err)
	}
	want := cluster.Image{Name: "own", Digest: i.Digest, Kind: "kernel", Size: 15, Cmdline: "quiet"}
	if diff := cmp.Diff(want, i); diff != "" {
		t.Error(diff)
	}
	for file, want := range map[string]string{"kernel": "core", "initrd": "memory disk"} {
		r, err := f.File(i.Digest, file)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(r)
		if r.Close(); string(got) != want {
			t.Errorf("%s: %q", file, got)
		}
	}
	list, err := f.List()
	if err != nil || len(list) != 1 || list[0].Digest() != i.Digest {
		t.Errorf("list: %v, %v", list, err)
	}
	again, err := f.Put(t.Context(), "own", files(nil, "kernel", "core", "initrd", "memory disk", "cmdline", "quiet"))
	if again != i || err != nil {
		t.Errorf("the same again is %+v, %v", again, err)
	}
}

func TestACopyIsFetchedOnceAndOnlyIfThereIsRoom(t *testing.T) {
	from, _ := open(t, Limit)
	i, err := from.Put(t.Context(), "own", files(nil, "kernel", "core", "initrd", "memory disk"))
	if err != nil {
		t.Fatal(err)
	}
	fetched := 0
	fetch := func(root string) error {
		fetched++
		m, err := from.Open(i.Digest)
		if err == nil {
			_, err = image.Receive(root, m, func(file string) (io.ReadCloser, error) { return from.File(i.Digest, file) })
		}
		return err
	}
	small, _ := open(t, i.Size-1)
	var refused *cluster.Rejection
	if err := small.Copy(i.Digest, i.Size, fetch); !errors.As(err, &refused) || refused.Code != cluster.CodeLimit ||
		fetched > 0 {
		t.Errorf("copied %d times into too small a folder, error %v", fetched, err)
	}
	to, _ := open(t, i.Size)
	for range 2 {
		if err := to.Copy(i.Digest, i.Size, fetch); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := to.Open(i.Digest); err != nil || m.Digest() != i.Digest || fetched != 1 {
		t.Errorf("%+v after %d fetches, error %v", m, fetched, err)
	}
}

func TestARemovedImageIsGone(t *testing.T) {
	f, root := open(t, Limit)
	i, err := f.Put(t.Context(), "own", files(nil, "kernel", "k", "initrd", "i"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Remove(i.Digest); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Open(i.Digest); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
	if left, _ := os.ReadDir(root); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWhatIsWrongIsNotKept(t *testing.T) {
	torn := errors.New("torn")
	for name, c := range map[string]struct {
		image string
		files iter.Seq2[File, error]
		says  string
	}{
		"no files":        {"own", files(nil), "no kernel"},
		"no initrd":       {"own", files(nil, "kernel", "k"), "no initrd"},
		"an empty kernel": {"own", files(nil, "kernel", "", "initrd", "i"), "0 bytes"},
		"a kernel twice":  {"own", files(nil, "kernel", "k", "kernel", "k"), "exists"},
		"an unknown file": {"own", files(nil, "disk", "d"), "an image has no file"},
		"a path":          {"own", files(nil, "../kernel", "k"), "an image has no file"},
		"a bad name":      {"Own Image", files(nil, "kernel", "k", "initrd", "i"), "image name"},
		"no name":         {"", files(nil, "kernel", "k", "initrd", "i"), "image name"},
		"lines":           {"own", files(nil, "kernel", "k", "initrd", "i", "cmdline", "a\nb\n"), "one line"},
		"a long line": {"own", files(nil, "kernel", "k", "initrd", "i", "cmdline", strings.Repeat("a", 5000)),
			"at most 2048"},
		"a torn sequence": {"own", files(torn, "kernel", "k"), "torn"},
		"more than the limit": {"own", files(nil, "kernel", strings.Repeat("k", 60), "initrd", strings.Repeat("i", 60)),
			"room for 100"},
		"a lie about its size": {"own", func(yield func(File, error) bool) {
			yield(File{"kernel", 1, strings.NewReader(strings.Repeat("k", 200))}, nil)
		}, "room for 100"},
	} {
		f, root := open(t, 100)
		if _, err := f.Put(t.Context(), c.image, c.files); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want an error with %q", name, err, c.says)
		}
		if left, _ := os.ReadDir(root); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
}

func TestAllImagesTogetherKeepTheLimit(t *testing.T) {
	f, _ := open(t, 10)
	if _, err := f.Put(t.Context(), "one", files(nil, "kernel", "kkkk", "initrd", "iiii")); err != nil {
		t.Fatal(err)
	}
	_, err := f.Put(t.Context(), "two", files(nil, "kernel", "kk", "initrd", "ii"))
	if refused, ok := errors.AsType[*cluster.Rejection](err); !ok || refused.Code != cluster.CodeLimit {
		t.Errorf("the second: %v", err)
	}
}

// slow yields a kernel whose content arrives when the test writes it, then an initrd of one byte.
func slow(content io.Reader) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		_ = yield(File{"kernel", -1, content}, nil) && yield(File{"initrd", 1, strings.NewReader("i")}, nil)
	}
}

func TestASlowUploadDelaysNoOther(t *testing.T) {
	f, _ := open(t, Limit)
	kernel, write := io.Pipe()
	ended := make(chan error)
	go func() {
		_, err := f.Put(t.Context(), "slow", slow(kernel))
		ended <- err
	}()
	io.WriteString(write, "the first bytes")
	i, err := f.Put(t.Context(), "quick", files(nil, "kernel", "k", "initrd", "i"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Copy(i.Digest, i.Size, nil), f.Remove(i.Digest)); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if err := <-ended; err != nil {
		t.Errorf("the slow one: %v", err)
	}
	if list, err := f.List(); err != nil || len(list) != 1 || list[0].Name != "slow" {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestImagesThatAreBeingWrittenShareTheLimit(t *testing.T) {
	f, _ := open(t, 10)
	kernel, write := io.Pipe()
	ended := make(chan error)
	go func() {
		_, err := f.Put(t.Context(), "slow", slow(kernel))
		ended <- err
	}()
	io.WriteString(write, "1234567")
	io.WriteString(write, "") // returns when the bytes before it are claimed
	_, err := f.Put(t.Context(), "other", files(nil, "kernel", "kk", "initrd", "ii"))
	if refused, ok := errors.AsType[*cluster.Rejection](err); !ok || !strings.Contains(refused.Detail, "room for 3") {
		t.Errorf("beside 7 of 10 bytes: %v", err)
	}
	write.CloseWithError(errors.New("torn"))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "torn") {
		t.Errorf("the slow one: %v", err)
	}
	if _, err := f.Put(t.Context(), "other", files(nil, "kernel", "kkkkk", "initrd", "iiiii")); err != nil {
		t.Errorf("all of the room after it was given back: %v", err)
	}
}

func TestAnInterruptedPutIsTidiedAway(t *testing.T) {
	f, root := open(t, Limit)
	if _, err := f.Put(t.Context(), "own", files(nil, "kernel", "k", "initrd", "i")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "draft.partial1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root, Limit); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(root); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestTheBuiltInImageIsTakenFromItsFolder(t *testing.T) {
	from := t.TempDir()
	for file, text := range map[string]string{"kernel": "k", "initrd": "i", "cmdline": "console=ttyS0\n"} {
		if err := os.WriteFile(filepath.Join(from, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, _ := open(t, Limit)
	i, err := f.PutFolder("busybox", from)
	if err != nil || i.Name != "busybox" || i.Cmdline != "console=ttyS0" {
		t.Errorf("%+v, %v", i, err)
	}
	if _, err := f.PutFolder("busybox", t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestOnlyFilesOfImagesAreRead(t *testing.T) {
	f, _ := open(t, Limit)
	i, err := f.Put(t.Context(), "own", files(nil, "kernel", "k", "initrd", "i"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{i.Digest, "../x"}, {i.Digest, "manifest.json"}, {"..", "kernel"}, {"", "kernel"},
		{"/etc", "passwd"}} {
		if r, err := f.File(c[0], c[1]); err == nil {
			r.Close()
			t.Errorf("%v is read", c)
		}
	}
	if f.Remove("..") == nil || f.Remove("") == nil {
		t.Error("something else is removed")
	}
}
