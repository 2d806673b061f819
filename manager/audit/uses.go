package audit

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/web"
)

// Limits of the uses.
const (
	precision   = time.Minute // of the time of a use
	ownSessions = 64          // of one token
	maxSessions = 10_000
	maxTokens   = 10_000
)

// Uses knows when tokens and sessions were last used at this manager. It writes them to a file every minute, so that a
// restart loses a minute at most.
type Uses struct {
	path string
	log  zerolog.Logger

	mu       sync.Mutex
	tokens   map[string]time.Time      // by id
	sessions map[string]web.SessionUse // by id
	changed  bool                      // since the file was written
}

var _ web.Uses = (*Uses)(nil)

// usesFile is the form of the file.
type usesFile struct {
	Tokens   map[string]time.Time `json:"tokens"`
	Sessions []web.SessionUse     `json:"sessions"`
}

// OpenUses reads the file if it exists. An unreadable file is reported, and replaced later.
func OpenUses(path string, log zerolog.Logger) *Uses {
	u := &Uses{path: path, log: log, tokens: map[string]time.Time{}, sessions: map[string]web.SessionUse{}}
	var kept usesFile
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Warn().Err(err).Str("file", path).Msg("cannot read when tokens and sessions were last used; that is forgotten")
	}
	maps.Copy(u.tokens, kept.Tokens)
	for _, s := range kept.Sessions[:min(len(kept.Sessions), maxSessions)] {
		u.sessions[s.ID] = s
	}
	return u
}

// Used records a use of a token, and of the session if there is one. See [web.Uses].
func (u *Uses) Used(s web.SessionUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if s.Used.Sub(u.tokens[s.Token]) >= precision {
		u.tokens[s.Token], u.changed = s.Used, true
		u.forgetTokens()
	}
	if s.ID == "" {
		return
	}
	known, ok := u.sessions[s.ID]
	if s.From == "" {
		s.From = known.From
	}
	if ok && s.Used.Sub(known.Used) < precision && s.From == known.From {
		return
	}
	if !ok {
		u.makeRoom(s.Token, s.Used)
	}
	u.sessions[s.ID], u.changed = s, true
}

// forgetTokens forgets the half of the tokens that was not used for the longest time, if there are too many.
func (u *Uses) forgetTokens() {
	if len(u.tokens) <= maxTokens {
		return
	}
	times := slices.SortedFunc(maps.Values(u.tokens), time.Time.Compare)
	median := times[len(times)/2]
	maps.DeleteFunc(u.tokens, func(_ string, used time.Time) bool { return !used.After(median) })
}

// makeRoom forgets expired sessions, and the least recently used one if there are too many of the token or of all.
func (u *Uses) makeRoom(token string, now time.Time) {
	var own, all []web.SessionUse
	for id, s := range u.sessions {
		if !now.Before(s.Expires) {
			delete(u.sessions, id)
			continue
		}
		if all = append(all, s); s.Token == token {
			own = append(own, s)
		}
	}
	switch {
	case len(own) >= ownSessions:
		delete(u.sessions, oldest(own))
	case len(all) >= maxSessions:
		delete(u.sessions, oldest(all))
	}
}

// oldest returns the id of the session that was not used for the longest time.
func oldest(list []web.SessionUse) string {
	return slices.MinFunc(list, func(a, b web.SessionUse) int { return a.Used.Compare(b.Used) }).ID
}

// Tokens returns the last use of each token that was used.
func (u *Uses) Tokens() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.tokens)
}

// Sessions returns the sessions that were used and have not expired, by id.
func (u *Uses) Sessions(now time.Time) []web.SessionUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := []web.SessionUse{}
	for _, s := range u.sessions {
		if now.Before(s.Expires) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b web.SessionUse) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// Run writes the file every minute until ctx ends.
func (u *Uses) Run(ctx context.Context) {
	ticker := time.NewTicker(precision)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			u.Save()
		}
	}
}

// Save writes the file if something has changed.
func (u *Uses) Save() {
	list := u.Sessions(time.Now())
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.changed {
		return
	}
	text, err := json.Marshal(usesFile{u.tokens, list})
	if err == nil {
		err = writeFile(u.path, text)
	}
	if err != nil {
		u.log.Error().Err(err).Msg("cannot write when tokens and sessions were last used; trying again in a minute")
		return
	}
	u.changed = false
}
