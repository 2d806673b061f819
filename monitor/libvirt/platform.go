package libvirt

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"aliquot/cluster"
	"aliquot/monitor"
)

// Memory that a VM takes from its node besides its job's: the guest's system, and what QEMU uses, private to the
// process. Under TCG 35 MiB of the latter were measured with one vCPU and a busy guest (QEMU 7.2); the rest is room for
// more vCPUs and for migrations. The value for KVM, which translates no code, is on the safe side.
const (
	overheadTCG = cluster.GuestSystem + 56*cluster.MiB
	overheadKVM = cluster.GuestSystem + 48*cluster.MiB
)

// oldMachines is the number of machine type versions offered. A run first started under an older QEMU
// can thus continue here.
const oldMachines = 4

const machinePrefix = "pc-q35-"

// choice is what a node offers.
type choice struct {
	text      string // for people
	platforms []string
	overhead  cluster.Bytes // of a VM on top of its memory
	confined  confinement
	cores     [][]int // CPUs of the processors that VMs can be bound to
	user      user    // as whom VMs run
	apart     bool    // VMs have no network
	diskless  bool    // VMs boot no images of kind disk
}

// Describe chooses on its first call, which may take as long as a trial.
func (h *Hypervisor) Describe(ctx context.Context) (monitor.Platform, error) {
	if err := h.driver.check(); err != nil {
		return monitor.Platform{}, err
	}
	chosen, err := h.choose(ctx)
	if err != nil {
		return monitor.Platform{}, fmt.Errorf("describe the hypervisor: %w", err)
	}
	bridged, err := h.bridged(ctx, chosen)
	if err != nil {
		return monitor.Platform{}, fmt.Errorf("describe the hypervisor: %w", err)
	}
	p := monitor.Platform{
		Bridged: bridged, Limits: bridged && h.limits(ctx), Diskless: chosen.diskless,
		Names: chosen.platforms, Text: chosen.text, Cores: len(chosen.cores),
		MigrateURI: h.config.MigrateURI,
	}
	if p.Overhead = h.config.Overhead + cluster.GuestSystem; h.config.Overhead == 0 {
		p.Overhead = chosen.overhead
	}
	return p, nil
}

// choose chooses once per Hypervisor.
func (h *Hypervisor) choose(ctx context.Context) (*choice, error) {
	h.mu.Lock()
	chosen := h.chosen
	h.mu.Unlock()
	if chosen != nil {
		return chosen, nil
	}
	if err := h.wait(ctx); err != nil {
		return nil, err
	}
	chosen, err := h.driver.offer(ctx)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	h.chosen = chosen
	h.mu.Unlock()
	return chosen, nil
}

// offer chooses the accelerator.
func (h qemu) offer(ctx context.Context) (*choice, error) {
	version, err := h.qemuVersion(ctx)
	if err != nil {
		return nil, err
	}
	accel, reason := h.accelerator(ctx, version)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	platforms, err := h.offered(ctx, accel)
	if err != nil {
		return nil, err
	}
	confined, err := h.promised(ctx)
	if err != nil {
		return nil, err
	}
	has, err := h.processorsHere(ctx)
	if err != nil {
		return nil, err
	}
	uses, err := ownCPUs()
	if err != nil {
		return nil, err
	}
	as, err := h.userHere(ctx)
	if err != nil {
		return nil, err
	}
	chosen := &choice{
		text:     fmt.Sprintf("QEMU %s, %s, %v; %v", version, reason, confined, has),
		overhead: map[string]cluster.Bytes{"kvm": overheadKVM, "tcg": overheadTCG}[accel],
		confined: confined, cores: has.bound(h.config.Bind, uses), user: as,
	}
	for _, on := range platforms {
		chosen.platforms = append(chosen.platforms, on.String())
	}
	return chosen, nil
}

// platformFor returns the named platform of a run, or the node's first platform for a new run.
func (h qemu) platformFor(ctx context.Context, name string) (platform, error) {
	if name != "" {
		return parsePlatform(name)
	}
	chosen, err := h.choose(ctx)
	if err != nil {
		return platform{}, err
	}
	return parsePlatform(chosen.platforms[0])
}

func (h qemu) qemuVersion(ctx context.Context) (text string, err error) {
	err = h.on(ctx, func(c *libvirt.Connect) error {
		n, err := c.GetVersion()
		text = fmt.Sprintf("%d.%d.%d", n/1_000_000, n/1000%1000, n%1000)
		return err
	})
	return text, err
}

// offered lists the platforms of an accelerator. The first is the best for new VMs: the newest machine
// type with the default CPU model.
func (h qemu) offered(ctx context.Context, accel string) ([]platform, error) {
	var machines, models []string
	err := h.on(ctx, func(c *libvirt.Connect) error {
		text, err := c.GetCapabilities()
		if err != nil {
			return err
		}
		if machines, err = machinesOf(text, accel); err != nil {
			return err
		}
		text, err = c.GetDomainCapabilities("", "x86_64", machines[0], platform{accel: accel}.domainType(), 0)
		if err != nil {
			return err
		}
		models, err = modelsOf(text, accel, h.config.CPUModel)
		return err
	})
	var all []platform
	for _, machine := range machines {
		for _, model := range models {
			all = append(all, platform{accel, machine, model})
		}
	}
	return all, err
}

// machinesOf lists the newest versioned machine types, newest first.
func machinesOf(capabilities, accel string) ([]string, error) {
	var caps libvirtxml.Caps
	if err := caps.Unmarshal(capabilities); err != nil {
		return nil, fmt.Errorf("read capabilities: %w", err)
	}
	var machines []string
	for _, guest := range caps.Guests {
		if guest.Arch.Name != "x86_64" || guest.OSType != "hvm" {
			continue
		}
		list := guest.Arch.Machines
		for _, d := range guest.Arch.Domains {
			if d.Type == (platform{accel: accel}).domainType() {
				list = append(list, d.Machines...)
			}
		}
		for _, m := range list {
			for _, name := range []string{m.Name, m.Canonical} {
				if strings.HasPrefix(name, machinePrefix) && !slices.Contains(machines, name) {
					machines = append(machines, name)
				}
			}
		}
	}
	if len(machines) == 0 {
		return nil, fmt.Errorf("the hypervisor offers no %s machine under %s", machinePrefix+"…", accel)
	}
	slices.SortFunc(machines, func(a, b string) int { return compareVersions(b, a) })
	return machines[:min(len(machines), oldMachines)], nil
}

// compareVersions orders machine types by their numbers.
func compareVersions(a, b string) int {
	numbers := func(s string) (n []int) {
		for _, part := range strings.Split(strings.TrimPrefix(s, machinePrefix), ".") {
			i, _ := strconv.Atoi(part)
			n = append(n, i)
		}
		return n
	}
	return cmp.Or(slices.Compare(numbers(a), numbers(b)), cmp.Compare(a, b))
}

// narrow lists the CPU models that cannot run an x86_64 kernel.
var narrow = []string{"486", "pentium", "pentium2", "pentium3", "qemu32", "kvm32", "coreduo", "n270", "athlon"}

// modelsOf lists the CPU models that the node can offer, the default first.
func modelsOf(capabilities, accel, wanted string) ([]string, error) {
	if accel == "tcg" {
		return []string{cmp.Or(wanted, "qemu64")}, nil
	}
	var caps libvirtxml.DomainCaps
	if err := caps.Unmarshal(capabilities); err != nil {
		return nil, fmt.Errorf("read domain capabilities: %w", err)
	}
	first, usable := wanted, []string(nil)
	if caps.CPU != nil {
		for _, mode := range caps.CPU.Modes {
			for _, model := range mode.Models {
				switch {
				case mode.Name == "host-model" && first == "":
					first = model.Name
				case mode.Name == "custom" && model.Usable == "yes" && !slices.Contains(narrow, model.Name):
					usable = append(usable, model.Name)
				}
			}
		}
	}
	// The machine's own model may need missing features. Then the first usable model is the default.
	if wanted == "" && !slices.Contains(usable, first) && len(usable) > 0 {
		first = usable[0]
	}
	usable = slices.DeleteFunc(usable, func(m string) bool { return m == first })
	return append([]string{first}, usable...), nil
}
