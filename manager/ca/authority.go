package ca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aliquot/wire/join"
)

// maxCSR is far more than a request with a P-256 key needs.
const maxCSR = 4 << 10

// ErrSecret means that a join token's secret is not the present one.
var ErrSecret = errors.New(
	"the join token is invalid or was replaced: get the present one from the managers' file join.token")

// Authority admits nodes and certifies managers. It is safe for concurrent use, even by several
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
		if a.raft, err = openIssuer(filepath.Join(dir, "raft-ca"), "aliquot Raft CA"); err != nil {
			return err
		}
		_, err = a.JoinToken()
		if errors.Is(err, fs.ErrNotExist) {
			err = a.writeToken()
		}
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

func (a *Authority) tokenFile() string { return filepath.Join(a.dir, "join.token") }

// JoinToken returns the token that admits nodes at present.
func (a *Authority) JoinToken() (join.Token, error) {
	text, err := readSecret(a.tokenFile())
	if err != nil {
		return join.Token{}, err
	}
	token, err := join.ParseToken(string(text))
	if err != nil {
		return join.Token{}, fmt.Errorf("%s: %w; or remove it to get a new one", a.tokenFile(), err)
	}
	if token.Authority != sha256.Sum256(a.Certificate()) {
		return join.Token{}, fmt.Errorf("%s is for another CA; remove it to get a new one", a.tokenFile())
	}
	return token, nil
}

// RotateJoinToken makes a new token. The previous one no longer admits nodes.
func (a *Authority) RotateJoinToken() error { return locked(a.dir, a.writeToken) }

func (a *Authority) writeToken() error {
	return writeFile(a.tokenFile(), []byte(join.NewToken(a.Certificate()).String()+"\n"), 0o600)
}

// Enroll certifies the key of the request (PKCS #10, DER) for the node; the certificate is DER. It
// returns ErrSecret if the secret is not that of the present join token.
func (a *Authority) Enroll(secret, node string, csr []byte) ([]byte, error) {
	// The token is read each time, so that a rotation by another process takes effect at once.
	token, err := a.JoinToken()
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(token.Secret), []byte(secret)) != 1 {
		return nil, ErrSecret
	}
	return a.Renew(node, csr)
}

// Renew certifies a new key for a node that has proven its identity.
func (a *Authority) Renew(node string, csr []byte) ([]byte, error) {
	if err := join.CheckName(node); err != nil {
		return nil, err
	}
	key, err := requestedKey(node, csr)
	if err != nil {
		return nil, fmt.Errorf("certificate request of %s: %w", node, err)
	}
	return a.members.sign(&x509.Certificate{
		Subject: join.Subject(node), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
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
