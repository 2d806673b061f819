package join

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aliquot/cluster"
)

// Request is a node's request for a certificate. The key stays on the node.
type Request struct {
	Node string
	CSR  []byte // PKCS #10, DER
	key  *ecdsa.PrivateKey
}

// NewRequest makes a fresh key and a request for a certificate of the node.
func NewRequest(node string) (*Request, error) {
	if err := cluster.CheckNodeName(node); err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	wanted := &x509.CertificateRequest{Subject: Identity{Node: node}.Subject()}
	csr, err := x509.CreateCertificateRequest(rand.Reader, wanted, key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate request: %w", err)
	}
	return &Request{node, csr, key}, nil
}

// Credentials are a node's key, its certificate, and the CA that it trusts. They are immutable;
// renewal makes new ones.
type Credentials struct {
	Node      string
	leaf      *x509.Certificate
	authority *x509.Certificate
	key       crypto.Signer
}

// Complete combines the request and the CA's answer (both DER) into credentials. It checks that the
// certificate belongs to this key, node and CA.
func (r *Request) Complete(certificate, authority []byte) (*Credentials, error) {
	return assemble(certificate, authority, r.key, r.Node)
}

func assemble(certificate, authority []byte, key *ecdsa.PrivateKey, node string) (*Credentials, error) {
	leaf, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	ca, err := x509.ParseCertificate(authority)
	if err != nil {
		return nil, fmt.Errorf("read the CA's certificate: %w", err)
	}
	if err := leaf.CheckSignatureFrom(ca); err != nil {
		return nil, fmt.Errorf("check the certificate: %w", err)
	}
	if !key.PublicKey.Equal(leaf.PublicKey) {
		return nil, errors.New("the certificate is for another key")
	}
	identity, err := IdentityOf(leaf)
	if err != nil {
		return nil, err
	}
	if node != "" && identity.Node != node {
		return nil, fmt.Errorf("the certificate is for the node %q, not %q", identity.Node, node)
	}
	return &Credentials{identity.Node, leaf, ca, key}, nil
}

// Due reports whether a third or less of the certificate's life is left.
func (c *Credentials) Due(now time.Time) bool {
	life := c.leaf.NotAfter.Sub(c.leaf.NotBefore)
	return now.After(c.leaf.NotAfter.Add(-life / 3))
}

// Expires returns the end of the certificate's validity.
func (c *Credentials) Expires() time.Time { return c.leaf.NotAfter }

// TLS returns the settings with which the node connects to managers.
func (c *Credentials) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		ServerName: ManagerName,
		RootCAs:    pool(c.authority),
		Certificates: []tls.Certificate{{
			Certificate: [][]byte{c.leaf.Raw}, PrivateKey: c.key, Leaf: c.leaf,
		}},
	}
}

// Save writes the credentials to one file that only its owner can read. It replaces an existing file
// atomically.
func (c *Credentials) Save(path string) error {
	key, err := x509.MarshalPKCS8PrivateKey(c.key)
	if err != nil {
		return fmt.Errorf("encode the key: %w", err)
	}
	var text bytes.Buffer
	for _, block := range []pem.Block{{Type: "PRIVATE KEY", Bytes: key}, {Type: "CERTIFICATE", Bytes: c.leaf.Raw},
		{Type: "CERTIFICATE", Bytes: c.authority.Raw}} {
		if err := pem.Encode(&text, &block); err != nil {
			return fmt.Errorf("encode the credentials: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the credentials: %w", err)
	}
	return replace(path, text.Bytes())
}

func replace(path string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".credentials-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write the credentials: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write the credentials: %w", err)
	}
	return os.Rename(f.Name(), path)
}

// Load reads the file that Save wrote. The error wraps fs.ErrNotExist if the node has not joined. A
// file that others may read is refused.
func Load(path string) (*Credentials, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look for the node's credentials: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s holds a private key but has mode %04o: run chmod 600 on it", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the node's credentials: %w", err)
	}
	c, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and join again", path, err)
	}
	return c, nil
}

func decode(text []byte) (*Credentials, error) {
	var blocks [][]byte
	for _, kind := range []string{"PRIVATE KEY", "CERTIFICATE", "CERTIFICATE"} {
		block, rest := pem.Decode(text)
		if block == nil || block.Type != kind {
			return nil, fmt.Errorf("a %s is missing", kind)
		}
		blocks, text = append(blocks, block.Bytes), rest
	}
	parsed, err := x509.ParsePKCS8PrivateKey(blocks[0])
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("the key is not an ECDSA key")
	}
	return assemble(blocks[1], blocks[2], key, "")
}

func pool(c *x509.Certificate) *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(c)
	return p
}
