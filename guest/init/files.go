//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// given is the file system with the files of the task. A confined task cannot make it writable.
const given = "/run/aliquot-files"

// layOut makes the folder of the task, with links to its files. The folder is writable, the files are not.
func layOut(files map[string]string) error {
	if len(files) == 0 {
		return nil
	}
	if err := mountAll([]mount{{"files", given, "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=0755"}}); err != nil {
		return err
	}
	for path, content := range files {
		if err := lay(path, content); err != nil {
			return fmt.Errorf("lay out the task's file %s: %w", path, err)
		}
	}
	return mountAll([]mount{{"", given, "", unix.MS_REMOUNT | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV, ""}})
}

func lay(path, content string) error {
	file, link := filepath.Join(given, path), filepath.Join(protocol.Work, path)
	for _, folder := range []string{filepath.Dir(file), filepath.Dir(link)} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(file, []byte(content), 0o555); err != nil {
		return err
	}
	return os.Symlink(file, link)
}
