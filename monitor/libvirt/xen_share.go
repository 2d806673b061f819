package libvirt

import (
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
)

// Weights of the tiers under Xen's credit scheduler. dom0 has 256; much larger weights of VMs would starve it.
const (
	foregroundWeight = 1000
	backgroundWeight = 1
)

// parametersXen returns a share as Xen has it: the cap in whole percents of a processor, at least one and at most all
// of the vCPUs.
func parametersXen(to share, on cores) *libvirt.DomainSchedulerParameters {
	unit := int64(on.speed.Known())
	percent := (int64(to.cap)*100 + unit/2) / unit
	p := &libvirt.DomainSchedulerParameters{CapSet: true, Cap: uint(min(max(1, percent), int64(100*on.vcpus))),
		WeightSet: true, Weight: foregroundWeight}
	if to.tier == cluster.Background {
		p.Weight = backgroundWeight
	}
	return p
}

// shareXen is the inverse of parametersXen. A VM with another weight is in the foreground.
func shareXen(p *libvirt.DomainSchedulerParameters, on cores) share {
	is := share{cap: cluster.CPU((int64(p.Cap)*int64(on.speed.Known()) + 50) / 100), tier: cluster.Foreground}
	if p.Weight == backgroundWeight {
		is.tier = cluster.Background
	}
	return is
}
