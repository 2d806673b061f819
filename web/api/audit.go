package api

import "time"

// AuditEntry records who did or tried what. It holds no secret and no part of a body.
type AuditEntry struct {
	ID        string     `json:"id" doc:"Number of the manager that answered the request, and of its entry" example:"1.523"`
	At        time.Time  `json:"at" doc:"Time of the request, the first one of several"`
	Until     *time.Time `json:"until,omitempty" doc:"Time of the last one of several requests"`
	Count     int        `json:"count" doc:"Requests that the entry stands for; repetitions within a minute share an entry, and are counted after it"`
	Actor     string     `json:"actor,omitempty" doc:"Name of the token; root for this machine's root; system for the log itself"`
	Token     string     `json:"token,omitempty" doc:"Id of the token; left out: none, or unknown"`
	Role      string     `json:"role,omitempty" doc:"Role of the token, or less in a session"`
	Session   string     `json:"session,omitempty" doc:"Id of the session"`
	From      string     `json:"from,omitempty" doc:"Address; local socket for this machine's root"`
	Operation string     `json:"operation" doc:"Operation of REST, or of the manager's control socket" example:"cancel-job"`
	Object    string     `json:"object,omitempty" doc:"Name of the thing that it concerns" example:"j17"`
	Outcome   string     `json:"outcome" enum:"accepted,refused,failed"`
	Status    int        `json:"status,omitempty" doc:"Status of HTTP"`
	Code      string     `json:"code,omitempty" doc:"Code of the problem" example:"forbidden"`
}

// AuditPage is a part of the audit logs of all managers, newest first.
type AuditPage struct {
	Entries []AuditEntry    `json:"entries"`
	Silent  []SilentManager `json:"silent,omitempty" doc:"Managers whose entries are missing"`
	Next    string          `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
}

// SilentManager is a manager that did not answer another one.
type SilentManager struct {
	Replica uint64 `json:"replica"`
	Problem string `json:"problem"`
}

// UsedSession is a session that is in use.
type UsedSession struct {
	ID        string     `json:"id"`
	Token     string     `json:"token" doc:"Id of the token that it is based on"`
	TokenName string     `json:"tokenName"`
	Role      string     `json:"role" enum:"viewer,user,operator,admin"`
	From      string     `json:"from" doc:"Address of its last use"`
	Since     *time.Time `json:"since,omitempty" doc:"Time of the login"`
	Used      time.Time  `json:"used" doc:"Last use, to the minute"`
	Expires   time.Time  `json:"expires"`
	Own       bool       `json:"own" doc:"Whether this request used it"`
}

// SessionList lists sessions, the latest used first.
type SessionList struct {
	Sessions []UsedSession   `json:"sessions"`
	Silent   []SilentManager `json:"silent,omitempty" doc:"Managers whose sessions are missing"`
}
