package libvirt

import (
	"context"
	"fmt"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
)

// Pin binds the VM's first vCPU to a processor of the node, or lets all of them run it if core is nil.
func (h *Hypervisor) Pin(ctx context.Context, vm monitor.VM, core *int) error {
	err := h.on(ctx, func(c *libvirt.Connect) error {
		present, _, err := c.GetCPUMap(0)
		if err != nil {
			return err
		}
		d, err := c.LookupDomainByUUIDString(vm.UUID())
		if err != nil {
			return err
		}
		defer d.Free()
		return d.PinVcpuFlags(0, processorsThatRun(core, len(present)), libvirt.DOMAIN_AFFECT_LIVE)
	})
	if err != nil {
		return fmt.Errorf("pin domain: %w", err)
	}
	return nil
}

// processorsThatRun returns for each processor whether a vCPU that is bound to the core may run there.
func processorsThatRun(core *int, count int) []bool {
	runs := make([]bool, count)
	for i := range runs {
		runs[i] = core == nil || i == *core
	}
	return runs
}
