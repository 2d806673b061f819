package libvirt

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/monitor"
)

// base is libvirt's filter that drops what a VM sends from another hardware or IPv4 address than its own, and all of
// IPv6. Every libvirt brings it along.
const base = "clean-traffic"

// guard is our filter that does what base does, and drops what a VM sends to, or gets from, VMs of other segments. Both
// ends drop it, so that neither a router that sends back what comes from the subnet nor a broadcast leads around it. It
// also drops what comes for another card. Its rules depend on nothing but the VM's own addresses.
const guard = "aliquot-segment"

var (
	//go:embed filters/card.xml
	cardFilter string
	//go:embed filters/segment-ipv4.xml
	segmentIPv4 string
	//go:embed filters/segment-arp.xml
	segmentARP string
	//go:embed filters/segment.xml
	segment string
)

// card describes a network card, whose VM can send from its own address only.
func card(n *monitor.NIC) libvirtxml.DomainInterface {
	return libvirtxml.DomainInterface{
		MAC:       &libvirtxml.DomainInterfaceMAC{Address: n.MAC},
		Source:    &libvirtxml.DomainInterfaceSource{Bridge: &libvirtxml.DomainInterfaceSourceBridge{Bridge: n.Bridge}},
		Model:     &libvirtxml.DomainInterfaceModel{Type: "virtio"},
		FilterRef: filterOf(n),
		Bandwidth: bandwidthOf(n.Rate),
	}
}

func filterOf(n *monitor.NIC) *libvirtxml.DomainInterfaceFilterRef {
	f := &libvirtxml.DomainInterfaceFilterRef{Filter: guard}
	set := func(name string, value any) {
		f.Parameters = append(f.Parameters, libvirtxml.DomainInterfaceFilterParam{Name: name, Value: fmt.Sprint(value)})
	}
	subnet := n.Address &^ (1<<(32-n.Bits) - 1)
	bytes := strings.Count(n.Segment, ":") + 1
	rest := strings.Repeat(":00", 6-bytes)
	set("IP", n.Address)
	set("SEGMENT", n.Segment+rest)
	set("MASK", "ff"+strings.Repeat(":ff", bytes-1)+rest)
	set("SUBNET", subnet)
	set("BITS", n.Bits)
	set("ROUTER", subnet+1)
	return f
}

// bandwidthOf describes the limit of a card, given in Mbit/s; nil: none. libvirt hands its numbers to tc as kbps, which
// are 1000 bytes a second, and as kb, which are KiB. A card that was idle may send as much at once as in a tenth of a
// second.
func bandwidthOf(rate int) *libvirtxml.DomainInterfaceBandwidth {
	if rate == 0 {
		return nil
	}
	average := rate * 1_000_000 / 8 / 1000
	burst := max(average*1000/10/1024, 128) // no less than two of the largest packets
	limit := &libvirtxml.DomainInterfaceBandwidthParams{Average: &average, Burst: &burst}
	return &libvirtxml.DomainInterfaceBandwidth{Inbound: limit, Outbound: limit}
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
	err := h.on(ctx, defineFilters)
	if refusal := (libvirt.Error{}); errors.As(err, &refusal) &&
		(refusal.Domain == libvirt.FROM_NWFILTER || refusal.Code == libvirt.ERR_NO_SUPPORT) {
		h.config.Log.Error().Err(err).Msg("libvirt has no filter " + base + ", or refuses those that are made of it: " +
			"install libvirt-daemon-config-nwfilter and restart libvirt and this monitor; until then this node takes no VMs " +
			"with a network")
		return false, nil
	}
	return err == nil, err
}

// defineFilters gives libvirt our filters, which are made of one of its own.
func defineFilters(c *libvirt.Connect) error {
	filter, err := c.LookupNWFilterByName(base)
	if err != nil {
		return err
	}
	if err := filter.Free(); err != nil {
		return err
	}
	for _, text := range []string{cardFilter, segmentIPv4, segmentARP, segment} {
		filter, err := c.NWFilterDefineXML(text)
		if err != nil {
			return err
		}
		if err := filter.Free(); err != nil {
			return err
		}
	}
	return nil
}
