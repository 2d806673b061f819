package main

import (
	"os"
	"path/filepath"
)

// makeFolder creates a folder of the daemon. Every user may pass through the folders above it, because libvirt runs
// QEMU as a separate user, which must reach the store. By default the store lies beside the folder.
func makeFolder(path string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// closed returns the first folder at or above path that some users cannot pass through, or "".
func closed(path string) string {
	for {
		info, err := os.Stat(path)
		if err == nil && info.Mode()&0o001 == 0 {
			return path
		}
		if path == filepath.Dir(path) {
			return ""
		}
		path = filepath.Dir(path)
	}
}
