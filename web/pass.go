package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"aliquot/cluster"
)

// Maximum lives of a login code, a session, and the pass of a manager.
const (
	codeTime    = 10 * time.Minute
	sessionTime = 12 * time.Hour
	peerTime    = 5 * time.Minute // the managers' clocks may differ
)

// A pass stands for a token for a limited time. It is signed with a key that all managers share, so each manager can
// check it and none has to store it.
type pass struct {
	Kind    passKind     `json:"k"`
	Token   string       `json:"t"` // id
	Role    cluster.Role `json:"r"` // highest role that it allows
	Expires int64        `json:"e"` // seconds since 1970
	ID      string       `json:"i"` // random
	Issued  int64        `json:"s"` // seconds since 1970; 0: by an earlier version
	stamp
}

// stamp dates a pass by the state that it was issued with.
type stamp struct {
	Revision   uint64 `json:"v,omitempty"` // at least that of every request answered before; 0: of an earlier version
	Generation uint64 `json:"g,omitempty"`
}

// passKind keeps a code from being used as a session, and vice versa.
type passKind string

const (
	codePass    passKind = "code"
	sessionPass passKind = "session"
	peerPass    passKind = "peer" // of a manager, for a request in the name of a caller
)

func newPass(kind passKind, token *cluster.Token, role cluster.Role, now time.Time, life time.Duration) pass {
	p := pass{Kind: kind, Token: token.ID, Role: min(role, token.Actor.Role), Expires: now.Add(life).Unix(),
		ID: rand.Text(), Issued: now.Unix()}
	if token.Expires != 0 {
		p.Expires = min(p.Expires, int64(token.Expires/cluster.Second))
	}
	return p
}

func (p pass) expires() time.Time { return time.Unix(p.Expires, 0).UTC() }

// passKey signs and checks passes.
type passKey []byte

func (k passKey) seal(p pass) string {
	text, _ := json.Marshal(p) // strings and numbers always encode
	payload := base64.RawURLEncoding.EncodeToString(text)
	return payload + "." + base64.RawURLEncoding.EncodeToString(k.mac(payload))
}

func (k passKey) mac(payload string) []byte {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(payload))
	return h.Sum(nil)
}

// open returns the pass if it is of the kind and was sealed with this key. It may have expired.
func (k passKey) open(kind passKind, sealed string) (p pass, ok bool) {
	payload, signature, _ := strings.Cut(sealed, ".")
	mac, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(mac, k.mac(payload)) {
		return p, false
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return p, false
	}
	return p, p.Kind == kind
}

// cookieName returns a name that differs from cluster to cluster, because browsers do not separate cookies by port.
func (k passKey) cookieName(secure bool) string {
	name := "aliquot-" + hex.EncodeToString(k.mac("cookie")[:4])
	if secure {
		return "__Host-" + name
	}
	return name
}

// NewLoginCode returns a code that lets one browser log in with the token's role, for 10 min. The key is that of
// Options.
func NewLoginCode(key []byte, token *cluster.Token, now time.Time) string {
	return passKey(key).seal(newPass(codePass, token, token.Actor.Role, now, codeTime))
}
