package join

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"regexp"
	"slices"
)

// ManagerName is the DNS name in every manager's certificate. Nodes check it instead of the address,
// so that addresses may change.
const ManagerName = "manager.aliquot.internal"

// nodeUnit marks the certificates of nodes, so that no other certificate is accepted as one.
const nodeUnit = "aliquot node"

var nodeName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$`)

// CheckName returns an error unless the name suits a node: up to 63 lower-case letters, digits, dots
// and hyphens.
func CheckName(node string) error {
	if !nodeName.MatchString(node) {
		return fmt.Errorf("%q is not a valid node name: use 1 to 63 lower-case letters, digits, dots and hyphens", node)
	}
	return nil
}

// Subject returns the subject of the node's certificate.
func Subject(node string) pkix.Name {
	return pkix.Name{CommonName: node, OrganizationalUnit: []string{nodeUnit}}
}

// IsManager reports whether the certificate, which must have been verified before, is a manager's.
func IsManager(c *x509.Certificate) bool {
	return c.VerifyHostname(ManagerName) == nil && !slices.Equal(c.Subject.OrganizationalUnit, []string{nodeUnit})
}

// NodeName returns the node that the certificate names. The certificate must have been verified
// before.
func NodeName(c *x509.Certificate) (string, error) {
	if !slices.Equal(c.Subject.OrganizationalUnit, []string{nodeUnit}) {
		return "", fmt.Errorf("the certificate of %q is not one of a node", c.Subject.CommonName)
	}
	return c.Subject.CommonName, CheckName(c.Subject.CommonName)
}
