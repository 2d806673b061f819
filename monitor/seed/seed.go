package seed

import (
	"bytes"
	_ "embed" // for the script
	"fmt"
	"io"
	"strings"

	"github.com/kdomanski/iso9660"
)

// label is the name of the disk's file system, by which cloud-init finds it.
const label = "cidata"

// boothook is vendor-data: the user's own user-data stays as it is.
//
//go:embed boothook
var boothook []byte

// Seed is what a system in a disk image is told.
type Seed struct {
	Instance string // changes with every first boot
	Hostname string
	UserData string    // of cloud-init, "": none
	Task     []byte    // document of the guest protocol
	Agent    io.Reader // program that runs the task
}

// Write writes the disk. The library puts it together in a folder of its own below that of temporary files.
func (s Seed) Write(to io.Writer) error {
	w, err := iso9660.NewWriter()
	if err != nil {
		return fmt.Errorf("make a seed: %w", err)
	}
	defer w.Cleanup()
	for name, content := range map[string]io.Reader{
		"user-data":      strings.NewReader(s.UserData),
		"vendor-data":    bytes.NewReader(boothook),
		"meta-data":      bytes.NewReader(fmt.Appendf(nil, "instance-id: %s\nlocal-hostname: %s\n", s.Instance, s.Hostname)),
		"network-config": bytes.NewReader([]byte("version: 2\nethernets: {}\n")),
		"task":           bytes.NewReader(s.Task),
		"agent":          s.Agent,
	} {
		if err := w.AddFile(content, name); err != nil {
			return fmt.Errorf("add %s to a seed: %w", name, err)
		}
	}
	if err := w.WriteTo(to, label); err != nil {
		return fmt.Errorf("write a seed: %w", err)
	}
	return nil
}
