package cluster

import (
	"fmt"
	"net/url"
	"slices"
)

// Schemes of the URIs at which nodes ask each other's libvirt. The others run programs on the node that asks (ext, ssh,
// and any with a query such as command=), or reach only itself.
var (
	secureSchemes = []string{"qemu+tls", "xen+tls", "model"} // model is the modelled hypervisor's
	plainSchemes  = []string{"qemu+tcp", "xen+tcp"}
)

// CheckMigrateURI returns why a node must not be asked at the URI, which it has given itself; plain allows TCP without TLS.
func CheckMigrateURI(text string, plain bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("%q is no URI", text)
	case slices.Contains(plainSchemes, u.Scheme) && !plain:
		return fmt.Errorf("%q would send the memory of VMs in the clear: use qemu+tls or xen+tls", text)
	case !slices.Contains(secureSchemes, u.Scheme) && !slices.Contains(plainSchemes, u.Scheme):
		return fmt.Errorf("%q has a transport that is not allowed: use qemu+tls or xen+tls", text)
	case u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return fmt.Errorf("%q must be a host and a path, without user, query or fragment", text)
	}
	return nil
}
