package join

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

const tokenPrefix = "aliquot-join"

// secretBytes is long enough that guessing is hopeless.
const secretBytes = 32

// Token admits one node to one cluster: it identifies the CA to trust and proves that its bearer was
// invited. It prints as one word without spaces.
type Token struct {
	Authority [sha256.Size]byte // SHA-256 of the CA's certificate, DER
	Secret    string            // base64url of 32 random bytes
}

// NewToken returns a token with a fresh secret for the CA with the given certificate (DER).
func NewToken(authority []byte) Token {
	secret := make([]byte, secretBytes)
	rand.Read(secret)
	return Token{sha256.Sum256(authority), base64.RawURLEncoding.EncodeToString(secret)}
}

// Hash returns the SHA-256 of the secret, which is all that the managers keep.
func (t Token) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(t.Secret)) }

func (t Token) String() string {
	return strings.Join([]string{tokenPrefix, base64.RawURLEncoding.EncodeToString(t.Authority[:]), t.Secret}, ".")
}

// ParseToken parses the result of String, ignoring surrounding space. Errors never repeat the token,
// since it is a secret.
func ParseToken(s string) (Token, error) {
	parts := strings.Split(strings.TrimSpace(s), ".")
	if len(parts) != 3 || parts[0] != tokenPrefix {
		return Token{}, errors.New(
			"this is not a join token: expected aliquot-join.<authority>.<secret>, as `aliquot node invite` prints it")
	}
	authority, err := base64.RawURLEncoding.Strict().DecodeString(parts[1])
	if err != nil || len(authority) != sha256.Size {
		return Token{}, errors.New("the join token is damaged in its second part; copy it again")
	}
	secret, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(secret) != secretBytes {
		return Token{}, errors.New("the join token is damaged in its third part; copy it again")
	}
	return Token{[sha256.Size]byte(authority), parts[2]}, nil
}
