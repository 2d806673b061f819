package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASecretThatOthersCanReadOrChangeIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if _, err := ReadSecret(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if err := os.WriteFile(path, []byte(" secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, fine := range map[fs.FileMode]bool{
		0o600: true, 0o400: true, 0o640: true,
		0o666: false, 0o602: false, 0o604: false, 0o620: false, 0o601: false,
	} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		text, err := ReadSecret(path)
		if (err == nil) != fine || fine && text != "secret" {
			t.Errorf("mode %04o: %q, %v", mode, text, err)
		}
		if !fine && (!strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), "secret\n")) {
			t.Errorf("mode %04o: %v", mode, err)
		}
	}
	if err := os.Truncate(path, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSecret(path); err == nil {
		t.Error("a file of 1 MiB is taken for a token")
	}
}

func TestASecretIsWrittenForItsOwnerAloneWhateverWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	for _, left := range []string{path, path + ".partial"} {
		if err := os.WriteFile(left, []byte("public"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := os.Open(path + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := WriteSecret(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "secret\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadSecret(path); text != "secret" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	if text, _ := io.ReadAll(reader); string(text) != "public" {
		t.Errorf("whoever had opened the file before reads %q", text)
	}
}
