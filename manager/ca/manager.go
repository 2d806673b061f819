package ca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"sync"
	"time"

	"aliquot/wire/join"
)

// ServerTLS returns the settings with which a manager serves REST under the given names and addresses.
// Its certificate lives in memory and is renewed automatically.
func (a *Authority) ServerTLS(names ...string) *tls.Config {
	s := &standing{
		issuer: a.members, names: append([]string{join.ManagerName}, names...),
		uses: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: s.certificate}
}

// PeerTLS returns the settings with which a manager connects to another one: it trusts only managers
// of this cluster, at any address, and identifies itself as one.
func (a *Authority) PeerTLS() *tls.Config {
	s := &standing{
		issuer: a.members, names: []string{join.ManagerName}, uses: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: x509.NewCertPool(), ServerName: join.ManagerName,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return s.certificate(nil) }}
	settings.RootCAs.AddCert(a.members.certificate)
	return settings
}

// LinkTLS returns the settings with which a manager serves nodes and other managers. They are identified by their
// certificates; a client without one may only enroll.
func (a *Authority) LinkTLS() *tls.Config {
	settings := a.ServerTLS()
	settings.ClientAuth = tls.VerifyClientCertIfGiven
	settings.ClientCAs = x509.NewCertPool()
	settings.ClientCAs.AddCert(a.members.certificate)
	return settings
}

// standing is a manager's certificate, made on first use and again when it is due.
type standing struct {
	issuer *issuer
	names  []string
	uses   []x509.ExtKeyUsage

	mu      sync.Mutex
	current *tls.Certificate
}

func (s *standing) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && !due(s.current.Leaf, time.Now()) {
		return s.current, nil
	}
	made, err := s.issuer.manager(s.names, s.uses...)
	if err != nil {
		return nil, err
	}
	s.current = made
	return made, nil
}

// due reports whether a third or less of the certificate's life is left.
func due(c *x509.Certificate, now time.Time) bool {
	return now.After(c.NotAfter.Add(-c.NotAfter.Sub(c.NotBefore) / 3))
}

// manager issues a certificate for a fresh key. The chain includes the CA, because a joining node
// knows only its hash.
func (i *issuer) manager(names []string, uses ...x509.ExtKeyUsage) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a manager's key: %w", err)
	}
	template := &x509.Certificate{Subject: pkix.Name{CommonName: join.ManagerName}, ExtKeyUsage: uses}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := i.sign(template, key.Public())
	if err != nil {
		return nil, fmt.Errorf("issue a manager's certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der, i.certificate.Raw}, PrivateKey: key, Leaf: leaf}, err
}

// RaftTLS returns the settings with which a manager speaks Raft under the given names and addresses, at both ends. Only
// certificates of the Raft CA count, which nodes do not get. They are renewed automatically.
func (a *Authority) RaftTLS(names ...string) *tls.Config {
	s := &standing{issuer: a.raft, names: names, uses: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth,
		x509.ExtKeyUsageClientAuth}}
	members := x509.NewCertPool()
	members.AddCert(a.raft.certificate)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, RootCAs: members, ClientCAs: members, ClientAuth: tls.RequireAndVerifyClientCert,
		GetCertificate:       s.certificate,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return s.certificate(nil) },
	}
}
