package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheAdministratorsTokenIsShownToTheSocketAlone(t *testing.T) {
	dir := t.TempDir()
	l := local{socket: filepath.Join(dir, "rest.sock"), rest: "http://127.0.0.1:7420",
		token: filepath.Join(dir, "admin.token")}
	if err := os.WriteFile(l.token, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if manager := l.manager(); manager != socketScheme+l.socket {
		t.Errorf("a manager that does not run is asked at %s", manager)
	}
	for name, c := range map[string]struct {
		managers []string
		want     string
	}{
		"the socket":                  {[]string{socketScheme + l.socket}, "secret"},
		"a port of this machine":      {[]string{l.rest}, ""},
		"a socket and a port":         {[]string{socketScheme + l.socket, l.rest}, ""},
		"a manager elsewhere":         {[]string{"https://10.0.0.1:7420"}, ""},
		"a port of the IPv6 loopback": {[]string{"http://[::1]:7420"}, ""},
	} {
		if token, err := l.readToken("", c.managers); token != c.want || err != nil {
			t.Errorf("%s is shown %q, %v", name, token, err)
		}
	}
	if token, err := l.readToken(l.token, []string{l.rest}); token != "secret" || err != nil {
		t.Errorf("a token that was named: %q, %v", token, err)
	}
}
