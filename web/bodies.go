package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// Limits on what is read at once. A byte of JSON takes up to fifty in memory.
const (
	maxLogin  = 4 << 10 // bytes; whoever logs in is not known yet
	maxValues = 10_000  // in the JSON of one body; a job with all its variables has a tenth of that
	maxFaults = 32      // told of one body

	bodiesOfLogins = 512 << 10 // bytes in flight of those who log in
	bodiesOfUsers  = 16 << 20
)

// budget bounds the bytes of the bodies that are being read and understood. One sender gets a quarter of it at most,
// and always one body.
type budget struct {
	all int64

	mu     sync.Mutex
	used   int64
	sender map[string]int64
}

func newBudget(all int64) *budget { return &budget{all: all, sender: map[string]int64{}} }

// take reserves bytes for the sender, if they are left.
func (b *budget) take(sender string, bytes int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.sender[sender]
	if own > 0 && own+bytes > b.all/4 || b.used > 0 && b.used+bytes > b.all {
		return false
	}
	b.used += bytes
	b.sender[sender] = own + bytes
	return true
}

// give returns what take reserved.
func (b *budget) give(sender string, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= bytes
	if b.sender[sender] -= bytes; b.sender[sender] == 0 {
		delete(b.sender, sender)
	}
}

// bodies lets a request pass if there is room for its body.
func (s *server) bodies(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	size := ctx.Operation().MaxBodyBytes
	if size == 0 || r.ContentLength == 0 { // no body, or one that is not JSON
		next(ctx)
		return
	}
	if r.ContentLength > 0 {
		size = min(size, r.ContentLength)
	}
	from, sender := s.logins, visitOf(ctx.Context()).from
	if token := bearer(ctx.Context()); token != nil {
		from, sender = s.users, token.ID
	}
	if !from.take(sender, size) {
		newProblem(codeRateLimited, "", "requests of %d bytes are being read, which is the most at a time", from.all).write(w)
		return
	}
	defer from.give(sender, size)
	next(ctx)
}

// formats are huma's, with a limit on what a body holds: each value that is wrong there becomes an error in memory.
func formats() map[string]huma.Format {
	limited := huma.DefaultJSONFormat
	limited.Unmarshal = func(text []byte, into any) error {
		if n := values(text); n > maxValues {
			return fmt.Errorf("the body holds %d values; the most are %d", n, maxValues)
		}
		if !utf8.Valid(text) {
			return errors.New("the body is not UTF-8")
		}
		return json.Unmarshal(text, into)
	}
	return map[string]huma.Format{"application/json": limited, "json": limited}
}

// values counts the values in JSON, or a few more.
func values(text []byte) (n int) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	return n
}
