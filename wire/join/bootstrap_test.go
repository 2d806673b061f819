package join

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"testing"
	"time"
)

// signer is a certificate with its key.
type signer struct {
	*x509.Certificate
	key *ecdsa.PrivateKey
}

// issue makes a certificate that parent signs; nil: it signs itself.
func issue(t *testing.T, parent *signer, template x509.Certificate) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.NotAfter = big.NewInt(1), time.Now().Add(time.Hour)
	template.BasicConstraintsValid = true
	if parent == nil {
		parent = &signer{&template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, parent.Certificate, key.Public(), parent.key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{c, key}
}

func TestAJoinTokenTrustsOnlyManagersOfItsCluster(t *testing.T) {
	authority := x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign}
	server := []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	manager := x509.Certificate{DNSNames: []string{ManagerName}, ExtKeyUsage: server}
	ours, other := issue(t, nil, authority), issue(t, nil, authority)
	good := issue(t, ours, manager)
	for name, c := range map[string]struct {
		chain []*signer
		fine  bool
	}{
		"a manager of the cluster":        {[]*signer{good, ours}, true},
		"one that shows more":             {[]*signer{good, other, ours}, true},
		"nobody":                          {nil, false},
		"a manager without its authority": {[]*signer{good}, false},
		"the authority itself":            {[]*signer{ours}, false},
		"a manager of another cluster":    {[]*signer{issue(t, other, manager), other}, false},
		"one that shows our authority":    {[]*signer{issue(t, other, manager), ours}, false},
		"another server of the cluster": {[]*signer{issue(t, ours, x509.Certificate{DNSNames: []string{"n1"},
			ExtKeyUsage: server}), ours}, false},
		"a client of that name": {[]*signer{issue(t, ours, x509.Certificate{DNSNames: []string{ManagerName},
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}), ours}, false},
	} {
		var chain []*x509.Certificate
		for _, s := range c.chain {
			chain = append(chain, s.Certificate)
		}
		err := NewToken(ours.Raw).TLS().VerifyConnection(tls.ConnectionState{PeerCertificates: chain})
		if (err == nil) != c.fine {
			t.Errorf("%s: %v", name, err)
		}
	}
}
