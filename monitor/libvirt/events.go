package libvirt

import (
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// rememberDeath is how long the end of a domain is kept.
const rememberDeath = time.Hour

// lifecycle records how domains end. libvirt reports that once, in an event, and cannot be asked later.
func (h *Hypervisor) lifecycle(_ *libvirt.Connect, d *libvirt.Domain, e *libvirt.DomainEventLifecycle) {
	id, err1 := d.GetUUIDString()
	name, err2 := d.GetName()
	if err1 != nil || err2 != nil {
		return
	}
	h.mu.Lock()
	switch e.Event {
	case libvirt.DOMAIN_EVENT_STARTED, libvirt.DOMAIN_EVENT_RESUMED:
		delete(h.ended, id)
		delete(h.host, id)
	case libvirt.DOMAIN_EVENT_SHUTDOWN:
		h.host[id] = libvirt.DomainEventShutdownDetailType(e.Detail) == libvirt.DOMAIN_EVENT_SHUTDOWN_HOST
	case libvirt.DOMAIN_EVENT_CRASHED:
		h.bury(id, name, reconcile.End{ByGuest: true, Cause: "its kernel panicked"})
	case libvirt.DOMAIN_EVENT_STOPPED:
		if end, ok := endOf(libvirt.DomainEventStoppedDetailType(e.Detail), h.host[id]); ok {
			h.bury(id, name, end)
		}
		delete(h.host, id)
		delete(h.facts, id)
		h.meters.forget(id)
		delete(h.shares, id)
		delete(h.ordered, id)
		delete(h.last, id)
		delete(h.moved, id)
	}
	h.mu.Unlock()
	h.changed()
}

// bury keeps the first cause. Later causes from libvirt are consequences of it.
func (h *Hypervisor) bury(id, name string, end reconcile.End) {
	now := time.Now()
	for other, d := range h.ended {
		if now.Sub(d.at) > rememberDeath {
			delete(h.ended, other)
		}
	}
	if _, known := h.ended[id]; !known {
		h.ended[id] = death{name, now, end}
	}
}

// endOf returns the cause of a domain's end. Saved and migrated domains have not ended.
func endOf(why libvirt.DomainEventStoppedDetailType, byHost bool) (reconcile.End, bool) {
	switch why {
	case libvirt.DOMAIN_EVENT_STOPPED_MIGRATED, libvirt.DOMAIN_EVENT_STOPPED_SAVED:
		return reconcile.End{}, false
	case libvirt.DOMAIN_EVENT_STOPPED_SHUTDOWN:
		if byHost {
			return reconcile.End{Cause: "the node ended its VM"}, true
		}
		return reconcile.End{ByGuest: true,
			Cause: "it powered off or reset itself, perhaps with too little memory for its image; its console may say why"}, true
	case libvirt.DOMAIN_EVENT_STOPPED_CRASHED:
		return reconcile.End{ByGuest: true, Cause: "it crashed"}, true
	case libvirt.DOMAIN_EVENT_STOPPED_DESTROYED:
		return reconcile.End{Cause: "its VM was destroyed on the node"}, true
	}
	return reconcile.End{Cause: "its VM's process died on the node"}, true
}

// deaths adds the remembered ends of a cluster's VMs to the listing.
func (h *Hypervisor) deaths(of [16]byte, into *monitor.Listing) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, d := range h.ended {
		if vm, err := monitor.ParseVM(of, d.name, id); err == nil {
			into.Ended[vm.Run] = d.end
		}
	}
}
