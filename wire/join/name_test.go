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

func TestOnlyANodesCertificateNamesANode(t *testing.T) {
	subject := func(name, admission string, units ...string) pkix.Name {
		return pkix.Name{CommonName: name, OrganizationalUnit: units, SerialNumber: admission}
	}
	for name, c := range map[string]struct {
		subject pkix.Name
		want    Identity
		fine    bool
	}{
		"a node's":                     {subject("n1", "7", nodeUnit), Identity{"n1", 7}, true},
		"one without an admission":     {subject("n1", "", nodeUnit), Identity{"n1", 0}, true},
		"one of no unit":               {subject("n1", ""), Identity{}, false},
		"one of more units":            {subject("n1", "", nodeUnit, "x"), Identity{}, false},
		"an admission in words":        {subject("n1", "x", nodeUnit), Identity{}, false},
		"a name that no node may have": {subject("N 1", "", nodeUnit), Identity{}, false},
	} {
		got, err := IdentityOf(&x509.Certificate{Subject: c.subject})
		if (err == nil) != c.fine || c.fine && got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if c.fine && got.Subject().String() != c.subject.String() {
			t.Errorf("%s: the subject of %+v is %v", name, got, got.Subject())
		}
	}
}
