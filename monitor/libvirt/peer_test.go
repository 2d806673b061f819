package libvirt

import (
	"strings"
	"testing"

	"aliquot/monitor"
)

func TestAPeerThatCouldRunAProgramHereIsNotAsked(t *testing.T) {
	h := &Hypervisor{}
	for _, peer := range []string{"qemu+ext:///system?command=/store/evil", "qemu+tls://n2/system?pkipath=/store",
		"qemu+tcp://n2/system"} {
		if err := h.Migrate(t.Context(), monitor.VM{}, peer, 0, 0); err == nil || !strings.Contains(err.Error(), peer) {
			t.Errorf("a migration to %s: %v", peer, err)
		}
		if _, err := h.Ask(t.Context(), peer, monitor.VM{}); err == nil || !strings.Contains(err.Error(), peer) {
			t.Errorf("a question to %s: %v", peer, err)
		}
	}
}
