package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// makeFolder creates a folder of the daemon. Every user may pass through the folders above it, because libvirt runs
// QEMU as a separate user, which must reach the store. By default the store lies beside the folder.
func makeFolder(path string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// actAsOwner makes this process act as the folder's owner if root runs it, for good. A manager that runs as a user of
// its own could not open files that root made there.
func actAsOwner(folder string) error {
	var s unix.Stat_t
	if os.Geteuid() != 0 || unix.Stat(folder, &s) != nil || s.Uid == 0 {
		return nil
	}
	err := cmp.Or(syscall.Setgroups(nil), syscall.Setgid(int(s.Gid)), syscall.Setuid(int(s.Uid)))
	if err != nil {
		return fmt.Errorf("act as the owner of %s: %w", folder, err)
	}
	return nil
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
