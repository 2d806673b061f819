package libvirt

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
)

// unknownCore is the processor of a VM that is bound to CPUs which are none of ours.
const unknownCore = ^cluster.CoreID(0)

// cpusOf returns the CPUs of one of the node's processors; nil for none.
func (h *Hypervisor) cpusOf(ctx context.Context, core cluster.CoreID) ([]int, error) {
	if core == 0 {
		return nil, nil
	}
	chosen, err := h.choose(ctx)
	if err != nil {
		return nil, err
	}
	if int(core) > len(chosen.cores) {
		return nil, fmt.Errorf("there is no processor %d to bind to, the node has %d", core, len(chosen.cores))
	}
	return chosen.cores[core-1], nil
}

// coreOf returns the processor that has the CPUs; none if there are no CPUs.
func (h *Hypervisor) coreOf(cpus []int) cluster.CoreID {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cpus == nil {
		return 0
	}
	if h.chosen != nil {
		if i := slices.IndexFunc(h.chosen.cores, func(c []int) bool { return slices.Equal(c, cpus) }); i >= 0 {
			return cluster.CoreID(i + 1)
		}
	}
	return unknownCore
}

// bind lets only these CPUs run the domain's vCPUs; nil: all.
func (h *Hypervisor) bind(d *libvirt.Domain, id string, f facts, cpus []int) error {
	if slices.Equal(f.cpus, cpus) {
		return nil
	}
	c, err := d.DomainGetConnect()
	if err != nil {
		return err
	}
	defer c.Close()
	present, _, err := c.GetCPUMap(0)
	if err != nil {
		return err
	}
	h.noteBound(id, changing)
	for vcpu := f.vcpus - 1; vcpu >= 0; vcpu-- { // the first, which a new monitor looks at, comes last
		if err := d.PinVcpuFlags(uint(vcpu), thoseThatRun(cpus, len(present)), libvirt.DOMAIN_AFFECT_LIVE); err != nil {
			return fmt.Errorf("bind to the CPUs %v: %w", cpus, err)
		}
	}
	h.noteBound(id, cpus)
	return nil
}

// changing stands for CPUs that are not known, because a change of them has not ended.
var changing = []int{-1}

// noteBound records which CPUs run the domain's vCPUs.
func (h *Hypervisor) noteBound(id string, cpus []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.facts[id]
	f.cpus = cpus
	h.facts[id] = f
}

// thoseThatRun returns for each CPU whether it may run a vCPU that is bound to the given ones; nil: all of them may.
func thoseThatRun(cpus []int, count int) []bool {
	runs := make([]bool, count)
	for i := range runs {
		runs[i] = cpus == nil || slices.Contains(cpus, i)
	}
	return runs
}

// pinsOf describes that only these CPUs run the vCPUs.
func pinsOf(cpus []int, vcpus int) (pins []libvirtxml.DomainCPUTuneVCPUPin) {
	if cpus == nil {
		return nil
	}
	text := make([]string, len(cpus))
	for i, cpu := range cpus {
		text[i] = strconv.Itoa(cpu)
	}
	for vcpu := range vcpus {
		pins = append(pins, libvirtxml.DomainCPUTuneVCPUPin{VCPU: uint(vcpu), CPUSet: strings.Join(text, ",")})
	}
	return pins
}

// boundIn returns the CPUs that a domain's description binds its first vCPU to; nil: none.
func boundIn(tune *libvirtxml.DomainCPUTune) []int {
	if tune == nil {
		return nil
	}
	for _, pin := range tune.VCPUPin {
		if pin.VCPU == 0 {
			return cpuSet(pin.CPUSet)
		}
	}
	return nil
}

// cpuSet reads a list of CPUs as libvirt writes it, such as 0-3,8, without the parts that it cannot read.
func cpuSet(text string) (cpus []int) {
	for _, part := range strings.Split(text, ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, failed := strconv.Atoi(to)
		if err != nil || failed != nil || last-first > maxCPUs {
			continue
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// maxCPUs limits a span of CPUs in a description.
const maxCPUs = 1 << 14
