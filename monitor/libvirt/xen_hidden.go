package libvirt

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
)

// glance is what xl last listed, before libvirt was asked.
type glance struct {
	mu  sync.Mutex
	all []xlDomain
}

func (g *glance) put(all []xlDomain) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all = all
}

// unlisted returns the cluster's domains among those that libvirt did not list, by UUID.
func (g *glance) unlisted(of [16]byte, listed map[string]bool) map[string]monitor.VM {
	g.mu.Lock()
	defer g.mu.Unlock()
	return unlistedXL(g.all, of, listed)
}

func unlistedXL(all []xlDomain, of [16]byte, listed map[string]bool) map[string]monitor.VM {
	vms := map[string]monitor.VM{}
	for _, d := range all {
		if vm, err := monitor.ParseVM(of, d.name, d.uuid); err == nil && !listed[d.uuid] && d.paused {
			vms[d.uuid] = vm
		}
	}
	return vms
}

// hidden finds what a libvirtd that was killed has left half made: Xen has it, paused, and libvirtd does not know it
// when it is back. A VM that begins or ends meanwhile is not taken for that: Xen has it before and after libvirt is
// asked for it by its UUID, and libvirt has it for as long as it works on it.
func (h xen) hidden(ctx context.Context, c *libvirt.Connect, of [16]byte,
	listed map[string]bool) (map[string]monitor.VM, error) {
	found := h.glance.unlisted(of, listed)
	for id := range found {
		if known, err := knows(c, id); err != nil {
			return nil, err
		} else if known {
			delete(found, id)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	all, err := xlDomains(ctx)
	if err != nil {
		return nil, err
	}
	still := unlistedXL(all, of, listed)
	for id := range found {
		if _, is := still[id]; !is {
			delete(found, id)
		}
	}
	return found, nil
}

// knows reports whether libvirt has a domain of the UUID, in any state.
func knows(c *libvirt.Connect, id string) (bool, error) {
	d, err := c.LookupDomainByUUIDString(id)
	if isCode(err, libvirt.ERR_NO_DOMAIN) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.Free()
	return true, nil
}

// destroyHidden ends a VM through xl.
func (xen) destroyHidden(ctx context.Context, vm monitor.VM) error {
	all, err := xlDomains(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		if d.uuid != vm.UUID() {
			continue
		}
		if _, err := xl(ctx, "destroy", strconv.Itoa(d.id)); err != nil {
			return fmt.Errorf("destroy what libvirt does not know: %w", err)
		}
	}
	return nil
}
