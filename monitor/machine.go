package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aliquot/cluster"
	"aliquot/guest/protocol"
)

// Machine describes a VM for the hypervisor to make.
type Machine struct {
	VM       VM
	Project  string
	VCPUs    int
	Memory   cluster.Bytes
	Cap      cluster.CPU // of the whole VM
	Tier     cluster.Tier
	Core     cluster.CoreID // processor of the node that it is bound to; 0: none
	Platform string         // "": the hypervisor's first
	Image    Image
	Folder   Folder
	NIC      *NIC // nil: it has no network
	Outputs  bool // results of its task are kept
}

// Image is an image on the node: a kernel, or a disk.
type Image struct {
	Kernel, Initrd string   // paths; Initrd "": none
	Cmdline        string   // of the kernel
	Command        []string // used when a job names no command
	Disk           string   // path; "": it is of kind kernel
}

// ImageSource fetches images to the node.
type ImageSource interface {
	// Ensure returns when the image's files are in a folder named by the digest in the monitor's
	// image folder: kernel, cmdline and, if the image has them, initrd and command (a JSON array of
	// strings); or disk.
	Ensure(ctx context.Context, digest string) error
}

// digestOf returns the digest in an image reference, name@sha256:digest.
func digestOf(reference string) (string, error) {
	_, digest, ok := strings.Cut(reference, "@sha256:")
	if !ok || len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return "", fmt.Errorf("image %q is not of the form name@sha256:digest", reference)
	}
	return digest, nil
}

// ReadImage reads the files that Ensure has put into the folder.
func ReadImage(folder string) (Image, error) {
	if disk := filepath.Join(folder, "disk"); exists(disk) {
		return Image{Disk: disk}, nil
	}
	image := Image{Kernel: filepath.Join(folder, "kernel")}
	if _, err := os.Stat(image.Kernel); err != nil {
		return Image{}, fmt.Errorf("image has no kernel: %w", err)
	}
	cmdline, err := os.ReadFile(filepath.Join(folder, "cmdline"))
	if err != nil {
		return Image{}, fmt.Errorf("read the image's command line: %w", err)
	}
	image.Cmdline = strings.TrimSpace(string(cmdline))
	if initrd := filepath.Join(folder, "initrd"); exists(initrd) {
		image.Initrd = initrd
	}
	if command, err := os.ReadFile(filepath.Join(folder, "command")); err == nil {
		if err := json.Unmarshal(command, &image.Command); err != nil {
			return Image{}, fmt.Errorf("read the image's command: %w", err)
		}
	}
	return image, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// newMachine returns the machine for an order to begin or restore a run.
func newMachine(of [16]byte, o cluster.Order, image Image, folder Folder, bridge string) Machine {
	return Machine{
		VM: VM{of, o.Run}, Project: o.Project,
		VCPUs: o.Spec.VCPUs(), Memory: o.Spec.Requirement.Memory,
		Cap: o.CPU, Tier: o.Tier, Core: o.Core, Platform: o.Platform,
		Image: image, Folder: folder, NIC: nicOf(VM{of, o.Run}, o, bridge), Outputs: len(o.Spec.Outputs) > 0,
	}
}

// taskOf returns the guest's task: the job's command, or else the image's own.
func taskOf(vm VM, o cluster.Order, image Image) protocol.Task {
	t := protocol.Task{
		Job: o.Run.Job.String(), Index: o.Run.Index, Count: o.Spec.Tasks, Run: o.Run.Number,
		Command: o.Spec.Command, Args: o.Spec.Args, LogBytes: int64(o.Spec.Limits.LogBytes),
		Network: networkOf(vm, o), Outputs: o.Spec.Outputs, ResultBytes: int64(o.Spec.Limits.ResultBytes),
	}
	if len(t.Command) == 0 {
		t.Command = image.Command
	}
	for _, f := range o.Spec.Files {
		if t.Files == nil {
			t.Files = map[string]string{}
		}
		t.Files[f.Key] = f.Value
	}
	for _, pair := range o.Spec.Env {
		if t.Env == nil {
			t.Env = map[string]string{}
		}
		t.Env[pair.Key] = pair.Value
	}
	return t
}
