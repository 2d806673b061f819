package ca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aliquot/cluster"
	"aliquot/wire/join"
)

// maxCSR is far more than a request with a P-256 key needs.
const maxCSR = 4 << 10

// Authority certifies nodes and managers. It is safe for concurrent use, even by several
// processes on one folder.
type Authority struct {
	dir     string
	members *issuer
	raft    *issuer
}

// Open loads the authority from its folder and creates missing files.
func Open(dir string) (*Authority, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the CA: %w", err)
	}
	a := &Authority{dir: dir}
	err := locked(dir, func() (err error) {
		if a.members, err = openIssuer(filepath.Join(dir, "ca"), "aliquot CA"); err != nil {
			return err
		}
		a.raft, err = openIssuer(filepath.Join(dir, "raft-ca"), "aliquot Raft CA")
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Certificate returns the certificate of the CA of managers and nodes, DER.
func (a *Authority) Certificate() []byte { return a.members.certificate.Raw }

// CertificateFile returns the file with that certificate for clients, PEM.
func (a *Authority) CertificateFile() string { return filepath.Join(a.dir, "ca.crt") }

// Key derives 32 secret bytes for one purpose from the CA's own key. All managers derive the same
// bytes, and no file holds them.
func (a *Authority) Key(purpose string) ([]byte, error) {
	secret, err := x509.MarshalPKCS8PrivateKey(a.members.key)
	if err != nil {
		return nil, fmt.Errorf("encode the CA's key: %w", err)
	}
	return hkdf.Key(sha256.New, secret, nil, "aliquot "+purpose, 32)
}

// NewToken returns a join token of this cluster with a fresh secret.
func (a *Authority) NewToken() join.Token { return join.NewToken(a.Certificate()) }

// Certify certifies the key of the request (PKCS #10, DER) for the node; the certificate is DER.
func (a *Authority) Certify(node join.Identity, csr []byte) ([]byte, error) {
	if err := cluster.CheckNodeName(node.Node); err != nil {
		return nil, err
	}
	key, err := requestedKey(node.Node, csr)
	if err != nil {
		return nil, fmt.Errorf("certificate request of %s: %w", node.Node, err)
	}
	return a.members.sign(&x509.Certificate{
		Subject: node.Subject(), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, key)
}

// requestedKey takes only the key from the request, and only if the request is for this node and
// signed by the key.
func requestedKey(node string, csr []byte) (*ecdsa.PublicKey, error) {
	if len(csr) > maxCSR {
		return nil, fmt.Errorf("it has %d bytes, at most %d are allowed", len(csr), maxCSR)
	}
	request, err := x509.ParseCertificateRequest(csr)
	if err != nil {
		return nil, fmt.Errorf("read it: %w", err)
	}
	if err := request.CheckSignature(); err != nil {
		return nil, fmt.Errorf("check its signature: %w", err)
	}
	if request.Subject.CommonName != node {
		return nil, fmt.Errorf("it is for %q", request.Subject.CommonName)
	}
	key, ok := request.PublicKey.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errors.New("its key is not on the curve P-256")
	}
	return key, nil
}
