package join

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"testing"
)

func TestANodeWithAManagersNameIsNoManager(t *testing.T) {
	for name, c := range map[string]struct {
		subject pkix.Name
		names   []string
		want    bool
	}{
		"a manager":               {pkix.Name{CommonName: ManagerName}, []string{ManagerName}, true},
		"a manager at an address": {pkix.Name{CommonName: ManagerName}, []string{ManagerName, "m1.example"}, true},
		"a node of that name": {pkix.Name{CommonName: ManagerName, OrganizationalUnit: []string{nodeUnit}},
			nil, false},
		"a node with that name as well": {pkix.Name{OrganizationalUnit: []string{nodeUnit}}, []string{ManagerName}, false},
		"something else":                {pkix.Name{CommonName: ManagerName}, []string{"m1.example"}, false},
	} {
		if got := IsManager(&x509.Certificate{Subject: c.subject, DNSNames: c.names}); got != c.want {
			t.Errorf("%s is a manager: %v", name, got)
		}
	}
}
