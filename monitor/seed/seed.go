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
	MAC      string    // of its network card; "": it has none
	Address  string    // of that card, with the length of the prefix: 10.77.0.2/16
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
		"network-config": strings.NewReader(s.network()),
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

// network returns network-config. The agent sets the same address, earlier and without cloud-init. But systems that are
// told of no card may look for an address by DHCP, which nobody answers.
func (s Seed) network() string {
	if s.MAC == "" {
		return "version: 2\nethernets: {}\n"
	}
	return fmt.Sprintf("version: 2\nethernets:\n  card:\n    match: {macaddress: %q}\n    addresses: [%q]\n", s.MAC, s.Address)
}
