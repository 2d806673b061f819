package libvirt

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOutputsMustBeWrittenByQEMUItself(t *testing.T) {
	for text, ok := range map[string]bool{
		`stdio_handler = "file"`:                     true,
		"max_core = 0\nstdio_handler=\"file\" # all": true,
		"":                        false,
		`#stdio_handler = "file"`: false,
		`stdio_handler = "logd"`:  false,
	} {
		path := filepath.Join(t.TempDir(), "qemu.conf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := checkOutputs(path); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := checkOutputs(filepath.Join(t.TempDir(), "none")); err != nil {
		t.Error(err)
	}
}
