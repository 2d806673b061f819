package join

import (
	"crypto/rand"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestTokensAreReadAsTheyPrint(t *testing.T) {
	token := NewToken([]byte("certificate"))
	if got, err := ParseToken(" " + token.String() + "\n"); got != token || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if again := NewToken([]byte("certificate")); again.Secret == token.Secret || again.Authority != token.Authority {
		t.Error("a second token must differ in its secret alone")
	}
}

func TestDamagedTokensAreRefusedWithoutBeingRepeated(t *testing.T) {
	good := NewToken([]byte("certificate")).String()
	part := strings.Split(good, ".")
	short := base64.RawURLEncoding.EncodeToString(make([]byte, 31))
	for _, s := range []string{
		"", ".", "..", "aliquot-join", "aliquot-join..", good + ".", "x" + good, part[0] + "." + part[1],
		part[0] + "." + part[1] + "." + part[2][1:], part[0] + "." + part[1][1:] + "." + part[2],
		part[0] + "." + short + "." + part[2], part[0] + "." + part[1] + "." + short,
		part[0] + "." + part[1] + "." + part[2] + "=", strings.ReplaceAll(good, ".", ". "),
	} {
		_, err := ParseToken(s)
		if err == nil {
			t.Errorf("%q is accepted", s)
			continue
		}
		if strings.Contains(err.Error(), part[2][:20]) {
			t.Errorf("the error tells the secret: %v", err)
		}
	}
}

func TestNamesOfNodesAreStrict(t *testing.T) {
	for name, fine := range map[string]bool{
		"n1": true, "rack-1.node-2": true, "a": true, strings.Repeat("a", 63): true,
		"": false, "-a": false, "a-": false, ".": false, "a/b": false, "A": false, "a b": false, "ü": false, "a\n": false,
		strings.Repeat("a", 64): false,
	} {
		if err := cluster.CheckNodeName(name); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestOnlyOwnersReadCredentials(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node.pem")
	for text, says := range map[string]string{
		"":  "PRIVATE KEY",
		"x": "PRIVATE KEY",
		"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n": "CERTIFICATE",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "join again") {
			t.Errorf("%q: %v; want an error with %q", text, err, says)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("readable by all: %v", err)
	}
}

func FuzzParseToken(f *testing.F) {
	secret := make([]byte, 32)
	rand.Read(secret)
	f.Add(NewToken(secret).String())
	f.Add("aliquot-join.a.b")
	f.Fuzz(func(t *testing.T, s string) {
		token, err := ParseToken(s)
		if err != nil {
			return
		}
		if again, err := ParseToken(token.String()); again != token || err != nil {
			t.Errorf("%q is read as %v and then as %v, %v", s, token, again, err)
		}
	})
}
