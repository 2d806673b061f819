package libvirt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
)

const qemuConfig = "/etc/libvirt/qemu.conf"

var fileHandler = regexp.MustCompile(`(?m)^\s*stdio_handler\s*=\s*"file"\s*(#.*)?$`)

// checkOutputs makes sure that QEMU itself writes the guests' streams. By default virtlogd writes them
// and cuts them into several files of a few megabytes. Without a configuration file libvirt runs on
// another machine and cannot be checked.
func checkOutputs(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read libvirt's configuration: %w", err)
	}
	if !fileHandler.Match(text) {
		return fmt.Errorf(
			`libvirt would cut the guests' output into pieces: put stdio_handler = "file" into %s and restart libvirtd, or run scripts/setup`, path)
	}
	return nil
}
