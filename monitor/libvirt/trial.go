package libvirt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/monitor"
)

// trialTime limits a guest's start under KVM. A guest that has not started by then never will: TCG needs 2 s.
const trialTime = 10 * time.Second

// verdict is a trial's result. It holds while kernel and QEMU stay the same.
type verdict struct {
	Kernel, QEMU, Image string
	Works               bool
	Reason              string
}

// accelerator chooses between KVM and TCG and returns the reason. An accessible /dev/kvm proves
// nothing: on some machines its guests never run an instruction.
func (h qemu) accelerator(ctx context.Context, qemu string) (accel, reason string) {
	switch {
	case h.config.Accel != "":
		return h.config.Accel, h.config.Accel + " as configured"
	case !present("/dev/kvm"):
		return "tcg", "TCG: there is no /dev/kvm"
	case h.config.Trial.Kernel == "":
		return "tcg", "TCG: there is no image to try KVM with"
	}
	v := verdict{Kernel: kernelVersion(), QEMU: qemu, Image: h.config.Trial.Kernel}
	if known, err := h.recall(); err == nil && known.Kernel == v.Kernel && known.QEMU == v.QEMU && known.Image == v.Image {
		v = known
	} else {
		v.Works, v.Reason = h.try(ctx)
		if ctx.Err() == nil {
			h.remember(v)
		}
	}
	if v.Works {
		return "kvm", "KVM: " + v.Reason
	}
	return "tcg", "TCG: " + v.Reason
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func kernelVersion() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}

func (h qemu) verdictFile() string { return filepath.Join(h.config.Data, "kvm.json") }

func (h qemu) recall() (v verdict, err error) {
	content, err := os.ReadFile(h.verdictFile())
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(content, &v)
}

func (h qemu) remember(v verdict) {
	content, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(h.verdictFile(), content, 0o644)
	}
	if err != nil {
		h.config.Log.Warn().Err(err).Msg("cannot save the result of the KVM trial; it will be repeated at the next start")
	}
}

// try boots the image under KVM up to its start marker.
func (h qemu) try(ctx context.Context) (works bool, reason string) {
	began := time.Now()
	if err := h.boot(ctx, "kvm"); err != nil {
		return false, "KVM did not boot the test guest: " + err.Error()
	}
	return true, fmt.Sprintf("it booted the test guest in %.1f s", time.Since(began).Seconds())
}

func (h qemu) boot(ctx context.Context, accel string) error {
	scratch, err := os.MkdirTemp(h.config.Data, "trial-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(scratch)
	image, err := within(scratch, h.config.Trial)
	if err != nil {
		return err
	}
	m := monitor.Machine{
		VM:    monitor.VM{Run: cluster.RunID{Job: 1, Number: 1}}, // of no cluster
		VCPUs: 1, Memory: 128 * cluster.MiB, Cap: cluster.Core,
		Image: image, Folder: monitor.Folder{Folder: folder.Folder(scratch)},
	}
	if err := m.Folder.Prepare(protocol.Task{Count: 1, Run: 1, Command: []string{"true"}}); err != nil {
		return err
	}
	platforms, err := h.offered(ctx, accel)
	if err != nil {
		return err
	}
	text, err := domainOf(m, platforms[0], 0, nil)
	if err != nil {
		return err
	}
	return h.on(ctx, func(c *libvirt.Connect) error {
		d, err := c.DomainCreateXML(text, libvirt.DOMAIN_START_AUTODESTROY)
		if err != nil {
			return err
		}
		defer d.Free()
		defer d.Destroy()
		return started(ctx, m.Folder)
	})
}

// within copies the image to a folder that QEMU's user can read; the original may be in a home directory.
func within(folder string, image monitor.Image) (monitor.Image, error) {
	if err := os.Chmod(folder, 0o755); err != nil {
		return image, err
	}
	for _, path := range []*string{&image.Kernel, &image.Initrd} {
		content, err := os.ReadFile(*path)
		if err != nil {
			return image, fmt.Errorf("copy the image: %w", err)
		}
		*path = filepath.Join(folder, filepath.Base(*path))
		if err := os.WriteFile(*path, content, 0o644); err != nil {
			return image, fmt.Errorf("copy the image: %w", err)
		}
	}
	return image, nil
}

// started waits for the guest's start marker.
func started(ctx context.Context, f monitor.Folder) error {
	for end := time.Now().Add(trialTime); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		guest, err := f.Read()
		if err != nil {
			return err
		}
		if guest.Started {
			return nil
		}
	}
	return errors.New("the guest did not start within " + trialTime.String())
}
