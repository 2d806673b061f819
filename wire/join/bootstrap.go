package join

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// ErrOtherCluster is the failure of a handshake with a manager of another CA than the token's.
var ErrOtherCluster = errors.New("the manager belongs to another cluster than the join token: its CA differs; " +
	"a token from `aliquot node invite` at this manager is needed")

// TLS returns the settings for the first connection of a node, which has no certificate yet: the
// manager must present a chain that ends in the token's CA.
func (t Token) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		ServerName: ManagerName,
		// The usual check needs the CA beforehand. VerifyConnection replaces it.
		InsecureSkipVerify: true,
		VerifyConnection:   func(s tls.ConnectionState) error { return t.verify(s.PeerCertificates) },
	}
}

func (t Token) verify(chain []*x509.Certificate) error {
	if len(chain) == 0 {
		return errors.New("the manager shows no certificate")
	}
	for _, c := range chain[1:] {
		if sha256.Sum256(c.Raw) != t.Authority {
			continue
		}
		_, err := chain[0].Verify(x509.VerifyOptions{
			DNSName: ManagerName, Roots: pool(c), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		})
		if err != nil {
			return fmt.Errorf("the manager's certificate is not valid: %w", err)
		}
		return nil
	}
	return ErrOtherCluster
}
