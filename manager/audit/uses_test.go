package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"aliquot/web"
)

// use is a use of a session of alice that ends tomorrow.
func use(id, from string, at time.Time) web.SessionUse {
	return web.SessionUse{ID: id, Token: "t-alice", Role: "user", From: from, Since: start, Used: at,
		Expires: time.Now().Add(oneDay)}
}

func ids(list []web.SessionUse) (out []string) {
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

func TestUsesAreKnownToTheMinuteAndSurviveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "uses.json")
	u := OpenUses(path, zerolog.Nop())
	u.Used(use("s1", "10.0.0.7", start))
	u.Used(use("s1", "10.0.0.7", start.Add(30*time.Second)))
	if s := u.Sessions(start)[0]; !s.Used.Equal(start) {
		t.Errorf("within the minute it was used at %v", s.Used)
	}
	u.Used(use("s1", "", start.Add(90*time.Second)))
	u.Used(web.SessionUse{Token: "t-bob", Used: start})
	u.Save()
	again := OpenUses(path, zerolog.Nop())
	if diff := cmp.Diff(u.Sessions(start), again.Sessions(start)); diff != "" {
		t.Error(diff)
	}
	if s := again.Sessions(start)[0]; !s.Used.Equal(start.Add(90*time.Second)) || s.From != "10.0.0.7" {
		t.Errorf("%+v", s)
	}
	want := map[string]time.Time{"t-alice": start.Add(90 * time.Second), "t-bob": start}
	if diff := cmp.Diff(want, again.Tokens()); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherAddressIsShownAtOnce(t *testing.T) {
	u := OpenUses(filepath.Join(t.TempDir(), "uses.json"), zerolog.Nop())
	u.Used(use("s1", "10.0.0.7", start))
	u.Used(use("s1", "10.0.0.8", start.Add(time.Second)))
	if s := u.Sessions(start)[0]; s.From != "10.0.0.8" {
		t.Errorf("%+v", s)
	}
}

func TestExpiredSessionsAreNotListed(t *testing.T) {
	u := OpenUses(filepath.Join(t.TempDir(), "uses.json"), zerolog.Nop())
	s := use("s1", "10.0.0.7", start)
	u.Used(s)
	if list := u.Sessions(s.Expires.Add(-time.Second)); len(list) != 1 {
		t.Errorf("before: %v", list)
	}
	if list := u.Sessions(s.Expires); len(list) != 0 {
		t.Errorf("after: %v", list)
	}
}

func TestManySessionsOfATokenPushOutOnlyItsOwn(t *testing.T) {
	u := OpenUses(filepath.Join(t.TempDir(), "uses.json"), zerolog.Nop())
	bob := use("bob", "10.0.0.9", start)
	bob.Token = "t-bob"
	u.Used(bob)
	for i := range ownSessions + 10 {
		u.Used(use(fmt.Sprintf("s%03d", i), "10.0.0.7", start.Add(time.Duration(i+1)*time.Second)))
	}
	list := ids(u.Sessions(start))
	if len(list) != ownSessions+1 || list[0] != "bob" || list[1] != "s010" {
		t.Errorf("%d: %v", len(list), list)
	}
}

func TestADamagedFileOfUsesIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "uses.json")
	for _, damage := range []string{"", "{", "[]", "\x00", `{"sessions": 7}`} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		u := OpenUses(path, zerolog.Nop())
		u.Used(use("s1", "10.0.0.7", start))
		u.Save()
		if list := ids(OpenUses(path, zerolog.Nop()).Sessions(start)); len(list) != 1 {
			t.Errorf("after %q: %v", damage, list)
		}
	}
}

func TestTokensThatWereNotUsedForLongAreForgottenWhenThereAreTooMany(t *testing.T) {
	u := OpenUses(filepath.Join(t.TempDir(), "uses.json"), zerolog.Nop())
	for i := range maxTokens + 1 {
		u.Used(web.SessionUse{Token: fmt.Sprint("t", i), Used: start.Add(time.Duration(i) * time.Second)})
	}
	tokens := u.Tokens()
	if _, known := tokens[fmt.Sprint("t", maxTokens)]; len(tokens) != maxTokens/2 || !known {
		t.Errorf("%d tokens, the latest known: %v", len(tokens), known)
	}
}
