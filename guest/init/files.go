//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// given is the file system with the files of the task. A confined task cannot make it writable.
const given = "/run/aliquot-files"

// layOut makes the folder of the task, with links to its files. The folder is writable, the files are not. They
// take the places of what the image has there.
func layOut(task protocol.Task) error {
	if len(task.Files) == 0 {
		if len(task.Outputs) == 0 {
			return nil
		}
		return enter(protocol.Work)
	}
	if err := mountAll([]mount{{"files", given, "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=0755"}}); err != nil {
		return err
	}
	for path, content := range task.Files {
		if err := lay(path, content); err != nil {
			return fmt.Errorf("lay out the task's file %s: %w", path, err)
		}
	}
	return mountAll([]mount{{"", given, "", unix.MS_REMOUNT | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV, ""}})
}

func lay(path, content string) error {
	file := filepath.Join(given, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(content), 0o555); err != nil {
		return err
	}
	return linkTo(file, protocol.Work, path)
}

// linkTo makes a link to the file at the path below the folder, in place of whatever is there.
func linkTo(file, folder, path string) error {
	at := folder
	for _, part := range strings.Split(path, "/") {
		if err := enter(at); err != nil {
			return err
		}
		at = filepath.Join(at, part)
	}
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	return os.Symlink(file, at)
}

// enter makes a folder unless there is one, in place of whatever else is there.
func enter(folder string) error {
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Mkdir(folder, 0o755)
}
