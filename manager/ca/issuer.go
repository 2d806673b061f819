package ca

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"time"
)

// Validity of certificates.
const (
	authorityLife = 10 * 365 * 24 * time.Hour
	memberLife    = 90 * 24 * time.Hour
	skew          = time.Hour // allowance for clocks that differ
)

// issuer is one CA.
type issuer struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// openIssuer loads the CA from path.crt and path.key, or makes it if neither exists. A key without a
// certificate is the result of an interrupted first start.
func openIssuer(path, name string) (*issuer, error) {
	certificate, err := os.ReadFile(path + ".crt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the certificate of %s: %w", name, err)
	}
	key, err := readSecret(path + ".key")
	switch {
	case errors.Is(err, fs.ErrNotExist) && certificate != nil:
		return nil, fmt.Errorf("%s.crt has no key %s.key: restore the key, or remove the certificate "+
			"to make a new CA, which all nodes must join again", path, path)
	case errors.Is(err, fs.ErrNotExist):
		key, err = makeKey(path + ".key")
	}
	if err == nil && certificate == nil {
		certificate, err = makeCertificate(path+".crt", name, key)
	}
	if err != nil {
		return nil, err
	}
	i, err := parseIssuer(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("%s.crt and %s.key: %w", path, path, err)
	}
	return i, nil
}

func makeKey(path string) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode a key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return text, writeFile(path, text, 0o600)
}

// makeCertificate writes the CA's self-signed certificate.
func makeCertificate(path, name string, keyText []byte) ([]byte, error) {
	key, err := parseKey(keyText)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-skew), NotAfter: now.Add(authorityLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of %s: %w", name, err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return text, writeFile(path, text, 0o644)
}

func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	der := block(text, "PRIVATE KEY")
	if der == nil {
		return nil, errors.New("expected a PEM block PRIVATE KEY")
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	ec, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("the key is not an ECDSA key")
	}
	return ec, nil
}

func parseIssuer(certificate, keyText []byte) (*issuer, error) {
	key, err := parseKey(keyText)
	if err != nil {
		return nil, err
	}
	der := block(certificate, "CERTIFICATE")
	if der == nil {
		return nil, errors.New("expected a PEM block CERTIFICATE")
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	switch {
	case !key.PublicKey.Equal(c.PublicKey):
		return nil, errors.New("the key does not belong to the certificate")
	case !c.IsCA:
		return nil, errors.New("the certificate is not one of a CA")
	case time.Now().After(c.NotAfter):
		return nil, fmt.Errorf("the CA expired at %v", c.NotAfter.Format(time.DateTime))
	}
	return &issuer{c, key}, nil
}

func block(text []byte, kind string) []byte {
	b, _ := pem.Decode(text)
	if b == nil || b.Type != kind {
		return nil
	}
	return b.Bytes
}

// sign issues a certificate from the template for the key, for memberLife or until the CA ends.
func (i *issuer) sign(template *x509.Certificate, key crypto.PublicKey) ([]byte, error) {
	now := time.Now()
	template.SerialNumber = serial()
	template.NotBefore, template.NotAfter = now.Add(-skew), now.Add(memberLife)
	if i.certificate.NotAfter.Before(template.NotAfter) {
		template.NotAfter = i.certificate.NotAfter
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.BasicConstraintsValid = true
	return x509.CreateCertificate(rand.Reader, template, i.certificate, key, i.key)
}

// serial returns a random number of 127 bits, positive as RFC 5280 requires.
func serial() *big.Int {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		panic(fmt.Sprintf("ca: no randomness: %v", err)) // crypto/rand never fails on Linux
	}
	return n.Add(n, big.NewInt(1))
}
