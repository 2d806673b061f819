package join

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"slices"
	"strconv"

	"aliquot/cluster"
)

// ManagerName is the DNS name in every manager's certificate. Nodes check it instead of the address,
// so that addresses may change.
const ManagerName = "manager.aliquot.internal"

// nodeUnit marks the certificates of nodes, so that no other certificate is accepted as one.
const nodeUnit = "aliquot node"

// Identity is a node's name and the admission by which it may use the name.
type Identity struct {
	Node      string
	Admission uint64 // 0 in certificates of programs that know no admissions
}

// IsManager reports whether the certificate, which must have been verified before, is a manager's.
func IsManager(c *x509.Certificate) bool {
	return c.VerifyHostname(ManagerName) == nil && !slices.Equal(c.Subject.OrganizationalUnit, []string{nodeUnit})
}

// Subject returns the subject of the node's certificate.
func (i Identity) Subject() pkix.Name {
	name := pkix.Name{CommonName: i.Node, OrganizationalUnit: []string{nodeUnit}}
	if i.Admission != 0 {
		name.SerialNumber = strconv.FormatUint(i.Admission, 10)
	}
	return name
}

// IdentityOf returns the node that the certificate names. The certificate must have been verified before.
func IdentityOf(c *x509.Certificate) (Identity, error) {
	name := c.Subject.CommonName
	if !slices.Equal(c.Subject.OrganizationalUnit, []string{nodeUnit}) {
		return Identity{}, fmt.Errorf("the certificate of %q is not one of a node", name)
	}
	i := Identity{Node: name}
	if number := c.Subject.SerialNumber; number != "" {
		var err error
		if i.Admission, err = strconv.ParseUint(number, 10, 64); err != nil {
			return Identity{}, fmt.Errorf("the certificate of node %q names the admission %q, which is no number", name, number)
		}
	}
	return i, cluster.CheckNodeName(name)
}
