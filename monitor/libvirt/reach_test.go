package libvirt

import (
	"strings"
	"testing"
)

// Another node describes a VM that comes from there. Its description must not lead us to the socket of another program.
func TestOnlySocketsThatLibvirtMakesAreConnectedTo(t *testing.T) {
	const good = "/var/lib/libvirt/qemu/channel/target/domain-1-aliquot/org.aliquot.stream"
	for _, c := range []struct{ name, path, want string }{
		{"org.aliquot.stream", good, ""},
		{"org.aliquot.stream", "/run/libvirt/qemu/channel/1/org.aliquot.stream", ""},
		{"org.aliquot.stream", "/run/libvirt/libvirt-sock", "not one that libvirt makes"},
		{"org.aliquot.stream", "/var/lib/libvirt/qemu/../../../../tmp/org.aliquot.stream", "not one that libvirt makes"},
		{"org.aliquot.stream", "/var/lib/libvirt/qemu/monitor.sock", "not one that libvirt makes"},
		{"org.aliquot.output", good, "has no port for streams"},
	} {
		path, err := streamSocket(`<domain type="qemu"><devices><channel type="unix"><source mode="bind" path="` + c.path +
			`"/><target type="virtio" name="` + c.name + `"/></channel></devices></domain>`)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %s: %q, %v", c.name, c.path, path, err)
		}
	}
}
