package libvirt

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"

	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"
)

// confinement is what keeps a QEMU that its guest has taken over from the rest of the machine, besides being a user
// other than root. libvirt sets it up.
type confinement struct {
	driver  string // of mandatory access control: apparmor or selinux; "": none
	seccomp bool   // QEMU gives up system calls that it does not need
}

func (c confinement) String() string {
	switch {
	case c.driver != "" && c.seccomp:
		return "VMs confined by " + c.driver + " and seccomp"
	case c.driver != "":
		return "VMs confined by " + c.driver + ", not by seccomp"
	case c.seccomp:
		return "VMs confined by seccomp, not by AppArmor or SELinux"
	}
	return "VMs not confined"
}

// less reports whether something that confines in other is missing.
func (c confinement) less(other confinement) bool {
	return other.seccomp && !c.seccomp || other.driver != "" && c.driver != other.driver
}

// promised returns the confinement that libvirt is configured for.
func (h qemu) promised(ctx context.Context) (c confinement, err error) {
	config, err := os.ReadFile(qemuConfig)
	if err != nil && !os.IsNotExist(err) {
		return c, fmt.Errorf("read libvirt's configuration: %w", err)
	}
	c.seccomp = !seccompOff.Match(config)
	err = h.on(ctx, func(conn *libvirt.Connect) error {
		text, err := conn.GetCapabilities()
		if err == nil {
			c.driver, err = driverOf(text)
		}
		return err
	})
	return c, err
}

var seccompOff = regexp.MustCompile(`(?m)^\s*seccomp_sandbox\s*=\s*0`)

// driverOf returns libvirt's driver of mandatory access control, from its capabilities.
func driverOf(capabilities string) (string, error) {
	var caps libvirtxml.Caps
	if err := caps.Unmarshal(capabilities); err != nil {
		return "", fmt.Errorf("read capabilities: %w", err)
	}
	for _, model := range caps.Host.SecModel {
		if slices.Contains([]string{"apparmor", "selinux"}, model.Name) {
			return model.Name, nil
		}
	}
	return "", nil
}

// inForce returns the confinement of a running process.
func (p Process) inForce(driver string) (c confinement, err error) {
	status, err := os.ReadFile(procFile(p.Pid, "status"))
	if err != nil {
		return c, err
	}
	c.seccomp = filtered.Match(status)
	if driver == "" {
		return c, nil
	}
	label, err := os.ReadFile(procFile(p.Pid, "attr/current"))
	if err == nil && labelled(driver, label) {
		c.driver = driver
	}
	return c, err
}

// filtered matches the status of a process with a seccomp filter.
var filtered = regexp.MustCompile(`(?m)^Seccomp:\s*2$`)

// labelled reports whether the driver confines a process with the label. libvirt gives each VM a label of its own.
func labelled(driver string, label []byte) bool {
	if driver == "apparmor" {
		return bytes.HasPrefix(label, []byte("libvirt-")) && bytes.Contains(label, []byte("(enforce)"))
	}
	return bytes.Contains(label, []byte(":svirt"))
}

// checkConfinement warns once of a VM that is less confined than the node says. A QEMU whose VM has not run yet may not
// have confined itself so far.
func (h *Hypervisor) checkConfinement(id string, f facts) {
	h.mu.Lock()
	chosen := h.chosen
	checked := chosen != nil && f.process.Pid != 0
	if now, known := h.facts[id]; known && checked {
		now.checked = true
		h.facts[id] = now
	}
	h.mu.Unlock()
	if !checked {
		return
	}
	if is, err := f.process.inForce(chosen.confined.driver); err == nil && is.less(chosen.confined) {
		h.config.Log.Warn().Str("vm", f.process.Name).Stringer("promised", chosen.confined).Stringer("in_force", is).
			Msg("a VM is not confined as libvirt is configured to")
	}
}
