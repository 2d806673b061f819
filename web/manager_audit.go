package web

import (
	"context"
	"net/http"
	"time"
)

// Audit keeps the audit log of this manager. All methods may be called concurrently.
type Audit interface {
	// Add keeps the entry and sets its number and time. A durable entry is on disk when Add returns. Others may be lost
	// with the machine, and repeated ones are counted in one entry. Add does not fail: an entry that cannot be written
	// is logged and counted.
	Add(e AuditEntry, durable bool)
	// Entries returns the newest entries that the query selects, newest first.
	Entries(ctx context.Context, q AuditQuery) ([]AuditEntry, error)
	// Counts returns the numbers of entries since this manager's start.
	Counts() AuditCounts
}

// AuditEntry records who did or tried what. It holds no secret and no part of a body.
type AuditEntry struct {
	Number    uint64    `json:"n"`                 // rises with each entry of a manager
	At        time.Time `json:"at"`                // the latest, if there are several
	Since     time.Time `json:"since,omitzero"`    // first of several requests; in a log's file, the request before them
	Count     int       `json:"count,omitempty"`   // requests that the entry stands for; 0: it is one
	Token     string    `json:"token,omitempty"`   // id; "": none, or unknown
	Actor     string    `json:"actor,omitempty"`   // its name
	Role      string    `json:"role,omitempty"`    // of the token, or less in a session
	Session   string    `json:"session,omitempty"` // id
	From      string    `json:"from,omitempty"`    // address
	Operation string    `json:"op"`
	Object    string    `json:"object,omitempty"` // name of a thing that exists
	Status    int       `json:"status,omitempty"` // of HTTP
	Code      string    `json:"code,omitempty"`   // of the problem
}

// Outcomes of audited requests.
const (
	Accepted = "accepted"
	Refused  = "refused"
	Failed   = "failed" // by no fault of the sender; it may have been done
)

// Outcome returns how the request ended.
func (e *AuditEntry) Outcome() string {
	switch {
	case e.Status < http.StatusBadRequest:
		return Accepted
	case e.Status < http.StatusInternalServerError:
		return Refused
	}
	return Failed
}

// AuditQuery selects entries.
type AuditQuery struct {
	Before   uint64    // only entries with lower numbers; 0: all
	From, To time.Time // zero: no limit
	Limit    int
	Match    func(*AuditEntry) bool // nil: all
}

// AuditCounts are numbers of entries since a manager's start, and the present size of its log.
type AuditCounts struct {
	Entries   uint64 // written
	Repeated  uint64 // requests that were only counted
	Unwritten uint64 // lost, because the disk refused them
	Unsent    uint64 // not exported to syslog
	Bytes     int64
}

// Uses knows when tokens and sessions were last used at this manager, to the minute. All methods may be called
// concurrently.
type Uses interface {
	// Used records a use of a token, and of a session if ID is not empty. An empty From leaves the known address.
	Used(s SessionUse)
	// Tokens returns the last use of each token, by id.
	Tokens() map[string]time.Time
	// Sessions returns the sessions that have not expired at now. Of one token it knows the latest 64.
	Sessions(now time.Time) []SessionUse
}

// SessionUse is the last use of a session.
type SessionUse struct {
	ID      string    `json:"id"`
	Token   string    `json:"token"` // id of the token that it is based on
	Role    string    `json:"role"`
	From    string    `json:"from"`  // address of the last use
	Since   time.Time `json:"since"` // of the login; zero: unknown
	Expires time.Time `json:"expires"`
	Used    time.Time `json:"used"`

	Revision   uint64 `json:"revision,omitempty"` // of the state at the login; 0: unknown
	Generation uint64 `json:"generation,omitempty"`
}
