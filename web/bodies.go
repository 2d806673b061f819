package web

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// Limits on bodies that are read at the same time. A byte of JSON may take fifty bytes in memory.
const (
	maxLogin  = 4 << 10 // bytes; before login the sender is unknown
	maxValues = 10_000  // values in the JSON of one body; the largest job has a tenth of that
	maxFaults = 32      // errors reported about one body

	bodiesOfLogins = 512 << 10 // bytes of login bodies that are being read
	bodiesOfUsers  = 16 << 20
)

// budget bounds the bytes of the bodies that are being read and parsed. One sender gets a quarter of it at most, and
// always enough for one body.
type budget struct {
	all int64

	mu     sync.Mutex
	used   int64
	sender map[string]int64
}

func newBudget(all int64) *budget { return &budget{all: all, sender: map[string]int64{}} }

// take reserves bytes for the sender if enough are left.
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

// give returns the bytes that take reserved.
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
	if size == 0 || r.ContentLength == 0 { // without a body, or with one that is not JSON
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
		newProblem(codeRateLimited, "", "requests of %d bytes are being read, which is the limit", from.all).write(w)
		return
	}
	defer from.give(sender, size)
	next(ctx)
}

// formats returns huma's formats with a limit on the values of a body, because each wrong value becomes an error in
// memory.
func formats() map[string]huma.Format {
	limited := huma.DefaultJSONFormat
	limited.Unmarshal = func(text []byte, into any) error {
		if n := values(text); n > maxValues {
			return fmt.Errorf("the body holds %d values; at most %d are allowed", n, maxValues)
		}
		return json.Unmarshal(text, into)
	}
	return map[string]huma.Format{"application/json": limited, "json": limited}
}

// values returns the number of values in the JSON, or a few more.
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
