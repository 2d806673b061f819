package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/internal/file"
	"aliquot/web/webtest"
)

func TestSecretsAreWrittenToFilesThatNobodyElseReads(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "token")
	for line, want := range map[string]string{
		"token create bot --force": "alq_", "node invite n9 --force": webtest.JoinToken,
		"node invite n9 --force -o json": `"token": "` + webtest.JoinToken,
	} {
		if o := d.run(line + " --out " + path); o.code != exitDone || o.out != "" ||
			o.err != path+" holds the token; only you can read it.\n" {
			t.Errorf("%s: %+v", line, o)
		}
		if secret, err := file.ReadSecret(path); err != nil || !strings.Contains(secret, want) {
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
