package cluster

import (
	"fmt"
	"regexp"
)

// migrateForm is the form of the URIs at which nodes ask each other's libvirt: a transport, a host with or without a
// port, and a path. Other transports run programs on the node that asks (ext, ssh), as a query such as command= does,
// or reach only that node. The scheme model is the modelled hypervisor's.
var migrateForm = regexp.MustCompile(
	`^(qemu\+tls|xen\+tls|model|qemu\+tcp|xen\+tcp)://[A-Za-z0-9.:\[\]_-]+(/[A-Za-z0-9/_-]*)?$`)

// CheckMigrateURI returns why a node must not be asked at the URI, which it has given itself; plain allows TCP without
// TLS.
func CheckMigrateURI(uri string, plain bool) error {
	parts := migrateForm.FindStringSubmatch(uri)
	switch {
	case parts == nil:
		return fmt.Errorf(
			"%q is not allowed: use qemu+tls or xen+tls with a host and a path, without user, query or fragment", uri)
	case !plain && (parts[1] == "qemu+tcp" || parts[1] == "xen+tcp"):
		return fmt.Errorf("%q would send the memory of VMs in the clear: use qemu+tls or xen+tls", uri)
	}
	return nil
}
