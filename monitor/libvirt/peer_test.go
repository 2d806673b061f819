package libvirt

import (
	"strings"
	"testing"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
)

func TestAPeerThatCouldRunAProgramHereIsNotAsked(t *testing.T) {
	h := &Hypervisor{}
	for _, peer := range []string{"qemu+ext:///system?command=/store/evil", "qemu+tls://n2/system?pkipath=/store",
		"qemu+tcp://n2/system"} {
		if err := h.Migrate(t.Context(), monitor.VM{}, 1, peer, 0, 0); err == nil || !strings.Contains(err.Error(), peer) {
			t.Errorf("a migration to %s: %v", peer, err)
		}
		if _, err := h.Ask(t.Context(), peer, monitor.VM{}); err == nil || !strings.Contains(err.Error(), peer) {
			t.Errorf("a question to %s: %v", peer, err)
		}
	}
}

func TestAPeerOfAnotherHypervisorIsNotAskedWhereItWouldTruthfullyHaveNoSuchVM(t *testing.T) {
	for uri, peer := range map[string]string{qemuURI: "xen+tls://n2/system", XenURI: "qemu+tls://n2/system"} {
		h := &Hypervisor{config: Config{URI: uri}}
		err := h.Migrate(t.Context(), monitor.VM{}, 1, peer, 0, 0)
		if err == nil || !strings.Contains(err.Error(), "another") {
			t.Errorf("a migration from %s to %s: %v", uri, peer, err)
		}
		if _, err := h.Ask(t.Context(), peer, monitor.VM{}); err == nil || !strings.Contains(err.Error(), "another") {
			t.Errorf("a question from %s to %s: %v", uri, peer, err)
		}
		if _, err := Open(Config{URI: uri, MigrateURI: peer}); err == nil || !strings.Contains(err.Error(), "migrate-uri") {
			t.Errorf("a node of %s that peers reach at %s: %v", uri, peer, err)
		}
	}
	for uri, peer := range map[string]string{qemuURI: "qemu+tls://n2/system", XenURI: "xen+tls://n2/system"} {
		if err := (Config{URI: uri}).allowed(peer); err != nil {
			t.Errorf("from %s to %s: %v", uri, peer, err)
		}
	}
}

func TestMemoryGoesThroughTheEncryptedConnectionWhereThereIsOne(t *testing.T) {
	for peer, want := range map[string]libvirt.DomainMigrateFlags{
		"qemu+tls://n2/system": libvirt.MIGRATE_TUNNELLED, "xen+tls://10.0.0.2:16514/system": libvirt.MIGRATE_TUNNELLED,
		"qemu+tcp://n2/system": 0, "xen+tcp://n2+tls/system": 0,
	} {
		if got := tunnelled(peer); got != want {
			t.Errorf("to %s: flag %#x, want %#x", peer, got, want)
		}
	}
}
