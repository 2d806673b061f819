package libvirt

import (
	"context"
	"os"
	"path/filepath"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/monitor"
)

// guard is libvirt's filter that drops what a VM sends from another hardware or IPv4 address than its own, and all of
// IPv6. Every libvirt brings it along.
const guard = "clean-traffic"

// card describes a network card, whose VM can send from its own address only.
func card(n *monitor.NIC) libvirtxml.DomainInterface {
	return libvirtxml.DomainInterface{
		MAC:    &libvirtxml.DomainInterfaceMAC{Address: n.MAC},
		Source: &libvirtxml.DomainInterfaceSource{Bridge: &libvirtxml.DomainInterfaceSourceBridge{Bridge: n.Bridge}},
		Model:  &libvirtxml.DomainInterfaceModel{Type: "virtio"},
		FilterRef: &libvirtxml.DomainInterfaceFilterRef{Filter: guard,
			Parameters: []libvirtxml.DomainInterfaceFilterParam{{Name: "IP", Value: n.Address.String()}}},
	}
}

// bridged reports whether VMs can be on the node's bridge. Without libvirt's filters they could pretend to be others.
func (h *Hypervisor) bridged(ctx context.Context, chosen *choice) (bool, error) {
	if h.config.Bridge == "" {
		return false, nil
	}
	if chosen.apart {
		h.config.Log.Warn().Str("bridge", h.config.Bridge).
			Msg("the bridge is not used: VMs of this hypervisor have no network yet")
		return false, nil
	}
	if _, err := os.Stat(filepath.Join("/sys/class/net", h.config.Bridge, "bridge")); err != nil {
		h.config.Log.Error().Err(err).Str("bridge", h.config.Bridge).
			Msg("there is no such bridge; this node takes no VMs with a network until its monitor is started with one")
		return false, nil
	}
	err := h.on(ctx, func(c *libvirt.Connect) error {
		filter, err := c.LookupNWFilterByName(guard)
		if err == nil {
			err = filter.Free()
		}
		return err
	})
	if isCode(err, libvirt.ERR_NO_NWFILTER) || isCode(err, libvirt.ERR_NO_SUPPORT) {
		h.config.Log.Error().Err(err).Msg("libvirt has no filter " + guard + ": install libvirt-daemon-config-nwfilter and " +
			"restart libvirt and this monitor; until then this node takes no VMs with a network")
		return false, nil
	}
	return err == nil, err
}
