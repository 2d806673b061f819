package libvirt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/guest/stream"
	"aliquot/monitor"
)

// sockets are the folders in which libvirt makes sockets of VMs. Another node may have described the VM, and must not
// lead us to the socket of another program.
var sockets = []string{"/var/lib/libvirt/qemu/", "/run/libvirt/qemu/"}

// Reach connects to the VM's port of streams.
func (h *Hypervisor) Reach(ctx context.Context, vm monitor.VM) (net.Conn, error) {
	var text string
	err := h.domain(ctx, vm, func(d *libvirt.Domain) (err error) {
		text, err = d.GetXMLDesc(0)
		return err
	})
	if isCode(err, libvirt.ERR_NO_DOMAIN) {
		return nil, errors.New("its VM is not on the node any longer")
	}
	if err != nil {
		return nil, fmt.Errorf("find the VM: %w", err)
	}
	path, err := streamSocket(text)
	if err != nil {
		return nil, err
	}
	return (&net.Dialer{}).DialContext(ctx, "unix", path)
}

// streamSocket returns the path of the socket of the port of streams in a domain's description.
func streamSocket(description string) (string, error) {
	var d libvirtxml.Domain
	if err := d.Unmarshal(description); err != nil {
		return "", fmt.Errorf("read domain description: %w", err)
	}
	for _, c := range d.Devices.Channels {
		if c.Target == nil || c.Target.VirtIO == nil || c.Target.VirtIO.Name != stream.Port || c.Source == nil ||
			c.Source.UNIX == nil {
			continue
		}
		path := filepath.Clean(c.Source.UNIX.Path)
		if !slices.ContainsFunc(sockets, func(folder string) bool { return strings.HasPrefix(path, folder) }) ||
			filepath.Base(path) != stream.Port {
			return "", fmt.Errorf("the socket %q is not one that libvirt makes", path)
		}
		return path, nil
	}
	return "", errors.New("its VM has no port for streams: it runs on Xen, or was started by an earlier version")
}
