package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aliquot/internal/file"
	"aliquot/web/webtest"
)

func TestSecretsAreWrittenToFilesThatNobodyElseReads(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "token")
	for line, want := range map[string]struct{ secret, of string }{
		"token create bot --force": {"alq_", ` [a-z0-9]{12} of bot`}, "node invite n9 --force": {webtest.JoinToken, " of node n9"},
		"node invite n9 --force -o json": {`"token": "` + webtest.JoinToken, " of node n9"},
	} {
		said := regexp.MustCompile("^" + path + " holds the token" + want.of + "; only you can read it.\n$")
		if o := d.run(line + " --out " + path); o.code != exitDone || o.out != "" || !said.MatchString(o.err) {
			t.Errorf("%s: %+v", line, o)
		}
		if secret, err := file.ReadSecret(path); err != nil || !strings.Contains(secret, want.secret) {
			t.Errorf("%s wrote %q, %v", line, secret, err)
		}
	}
}

func TestNoSecretIsMadeThatCannotBeWritten(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]int{path: exitUsage, filepath.Dir(path): exitUsage, path + "/x": exitUsage,
		"/nowhere/token": exitFailed} {
		if o := d.run("token create bot --out " + to); o.code != want {
			t.Errorf("%s: %+v", to, o)
		}
	}
	if list := d.ok("token list"); strings.Contains(list, "bot") {
		t.Errorf("tokens were made: %s", list)
	}
}
