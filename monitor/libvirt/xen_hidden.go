package libvirt

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// hidden finds the cluster's domains that Xen has and libvirt does not know. A VM that begins or ends meanwhile is not
// taken for one: Xen has it before and after libvirt is asked for it by its UUID, and libvirt has it for as long as it
// works on it. A domain that never ran is half made, left behind by a libvirtd that was killed. Any other is a VM that
// libvirt has forgotten, see Hypervisor.forgotten.
func (h xen) hidden(ctx context.Context, c *libvirt.Connect, of [16]byte, listed map[string]bool, before []xlDomain,
	a *absences) (map[monitor.VM]reconcile.Domain, error) {
	found, err := unknown(c, unlistedXL(before, of, listed))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	now, err := xlDomains(ctx)
	if err != nil {
		return nil, err
	}
	all := map[monitor.VM]reconcile.Domain{}
	for vm, d := range still(found, unlistedXL(now, of, listed)) {
		all[vm] = d.unknown()
		if d.half() || !a.overdue(fmt.Sprint(d.uuid, d.id)) {
			continue
		}
		h.config.Log.Error().Str("vm", d.name).Int("domain", d.id).
			Msg("destroying a VM that libvirt does not know; was its file in /run/libvirt/libxl lost?")
		if err := destroyUnknown(ctx, c, d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// unlistedXL returns the cluster's domains among those that libvirt did not list.
func unlistedXL(all []xlDomain, of [16]byte, listed map[string]bool) map[monitor.VM]xlDomain {
	vms := map[monitor.VM]xlDomain{}
	for _, d := range all {
		if vm, err := monitor.ParseVM(of, d.name, d.uuid); err == nil && !listed[d.uuid] {
			vms[vm] = d
		}
	}
	return vms
}

// unknown returns the domains that libvirt does not know in any state.
func unknown(c *libvirt.Connect, all map[monitor.VM]xlDomain) (map[monitor.VM]xlDomain, error) {
	for vm, d := range all {
		if known, err := knows(c, d.uuid); err != nil {
			return nil, err
		} else if known {
			delete(all, vm)
		}
	}
	return all, nil
}

// still returns the domains as they are now, without those that are gone or were made anew.
func still(before, now map[monitor.VM]xlDomain) map[monitor.VM]xlDomain {
	for vm, d := range now {
		if was, is := before[vm]; !is || was.id != d.id {
			delete(now, vm)
		}
	}
	return now
}

// half reports whether a domain that libvirt does not know was left half made: libvirt makes VMs paused.
func (d xlDomain) half() bool { return d.paused && !d.ran }

// unknown returns what a domain that libvirt does not know is for the node.
func (d xlDomain) unknown() reconcile.Domain {
	is := reconcile.Domain{State: reconcile.Dying, Memory: max(0, d.memory-cluster.GuestSystem)}
	if d.half() {
		is.State, is.Half = reconcile.Frozen, true
	}
	return is
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

// destroyHidden ends a VM that libvirt does not know.
func (h xen) destroyHidden(ctx context.Context, vm monitor.VM) error {
	all, err := xlDomains(ctx)
	if err != nil {
		return err
	}
	is := slices.IndexFunc(all, func(d xlDomain) bool { return d.is(vm) })
	if is < 0 {
		return nil
	}
	return h.on(ctx, func(c *libvirt.Connect) error { return destroyUnknown(ctx, c, all[is]) })
}

// is reports whether the domain is that VM, by name and UUID.
func (d xlDomain) is(vm monitor.VM) bool {
	named, err := monitor.ParseVM(vm.Cluster, d.name, d.uuid)
	return err == nil && named == vm
}

// destroyUnknown ends a domain through xl, unless libvirt knows it by now.
func destroyUnknown(ctx context.Context, c *libvirt.Connect, d xlDomain) error {
	if known, err := knows(c, d.uuid); err != nil || known {
		return err
	}
	if _, err := xl(ctx, "destroy", strconv.Itoa(d.id)); err != nil {
		return fmt.Errorf("destroy what libvirt does not know: %w", err)
	}
	return nil
}
